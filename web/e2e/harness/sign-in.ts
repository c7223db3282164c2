import { expect, type BrowserContext, type Page } from "@playwright/test";

import type { Person } from "./house";

/** Through the form, as a person does it. The page is at the sign-in already, or goes there. */
export async function signIn(page: Page, person: Person): Promise<void> {
  if (new URL(page.url()).pathname !== "/sign-in") await page.goto("/sign-in");
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  if (person.tenant !== undefined) {
    const tenant = page.getByLabel("Tenant", { exact: true });
    const more = page.getByRole("button", { name: "Sign in to another tenant" });
    await expect(tenant.or(more)).toBeVisible();
    if (await more.isVisible()) await more.click();
    await tenant.fill(person.tenant);
  }
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Account of / }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
}

/** Without the form: the browser gets the cookie of a session that its own request began. */
export async function enter(context: BrowserContext, url: string, person: Person): Promise<void> {
  const { email, password, tenant } = person;
  const answer = await context.request.post(`${url}/api/auth/login`, { data: { email, password, ...(tenant === undefined ? {} : { tenant }) } });
  expect(answer.status(), await answer.text()).toBe(200);
}
