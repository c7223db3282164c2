// The pages of people, keys, secrets and profiles as somebody sees them who reads Spanish.
import type { Page } from "@playwright/test";

import { expect, expectAccessible, OWN, PHONE, test } from "../harness";

/** Words that Spanish does not have. One of them in a text says that the text was forgotten. */
const ENGLISH = /\b(the|and|of|is|are|was|with|this|that|you|your|for|not|from|who|what|when|new|add|delete|save|cancel|close|search|loading|none|nobody|name|value|keys?|people|person|calls?|tools?|secrets?|profiles?|every|each|them|they|it|its|to|by|or|in|on|at|be|can|may|must)\b/i;

/** Whatever the page says, to those who see it and to those who hear it. Commands and names of programs are no language. */
async function expectSpanish(page: Page): Promise<void> {
  const said = await page.evaluate(() => {
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Text && !node.parentElement?.closest("code, pre, script, style")) texts.push(node.data);
      if (node instanceof Element) for (const name of ["aria-label", "title", "placeholder", "alt"]) texts.push(node.getAttribute(name) ?? "");
    }
    return texts;
  });
  const plain = said.map((text) => text.replace(/\S*[:._@/-]\S+/g, " ").trim());
  expect(plain.filter((text) => ENGLISH.test(text)), "English on a Spanish page").toEqual([]);
}

const at = async (page: Page, address: string, heading: string) => {
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1, name: heading, exact: true })).toBeVisible();
};

test.beforeEach(async ({ page, signedInAs }) => {
  await page.addInitScript(() => localStorage.setItem("toolgate.language", "es"));
  await signedInAs("admin");
});

test("una administradora lleva personas, roles, espacios y organizaciones en español", OWN, async ({ page, toolgate }) => {
  await toolgate.addPerson({ email: "lucia.vega@acme.example", name: "Lucía Vega", roles: ["member"] });
  await at(page, "/operate/people?search=nadie", "Personas");
  await expect(page.getByRole("heading", { name: "Nadie coincide" })).toBeVisible();
  await expectSpanish(page);
  await page.getByRole("button", { name: "Mostrar a todos" }).click();
  await page.getByRole("button", { name: "Añadir una persona" }).click();
  const dialog = page.getByRole("dialog", { name: "Añadir una persona" });
  await dialog.getByLabel("Nombre").fill("Íñigo Sanz");
  await dialog.getByLabel("Correo").fill("inigo.sanz@acme.example");
  await dialog.getByRole("button", { name: "Generar" }).click();
  await expectSpanish(page);
  await dialog.getByRole("button", { name: "Añadir", exact: true }).click();
  const told = page.getByRole("dialog", { name: "Se añadió a Íñigo Sanz" });
  await expect(told).toContainText("La contraseña no se vuelve a mostrar");
  await expectSpanish(page);
  await told.getByRole("button").last().click();
  await page.getByRole("row", { name: /Lucía Vega/ }).click();
  const drawer = page.getByRole("dialog", { name: "Lucía Vega" });
  await expect(drawer.getByRole("button", { name: "Guardar" })).toBeVisible();
  await expectSpanish(page);
  await drawer.getByRole("button", { name: "Desactivar" }).click();
  await expect(page.getByText("Lucía Vega ya no puede entrar")).toBeVisible();
  await expect(page.getByRole("button", { name: "Deshacer" })).toBeVisible();
  await expectSpanish(page);

  await at(page, "/operate/roles", "Roles");
  await expect(page.getByRole("row", { name: /Aprobar o rechazar llamadas/ })).toBeVisible();
  await page.getByRole("button", { name: "Rol nuevo" }).click();
  await page.getByRole("dialog").getByLabel("Nombre").fill("viewer");
  await expect(page.getByRole("dialog").getByRole("alert")).toHaveText("Ya hay un rol con este nombre.");
  await expectSpanish(page);

  await at(page, "/operate/workspaces", "Espacios de trabajo");
  await expect(page.getByRole("heading", { name: "Sin espacios" })).toBeVisible();
  await page.getByRole("button", { name: "Espacio nuevo" }).first().click();
  await page.getByRole("dialog").getByLabel("Nombre", { exact: true }).fill("Atención al cliente");
  await expect(page.getByLabel("Nombre corto")).toHaveValue("atencion-al-cliente");
  await expectSpanish(page);
  await page.getByRole("button", { name: "Crear" }).click();
  await page.getByRole("row", { name: /Atención al cliente/ }).click();
  await expect(page.getByRole("dialog").getByText("Aún nadie")).toBeVisible();
  await expectSpanish(page);

  await toolgate.addTenant("norte", "Norte");
  await at(page, "/operate/tenants", "Organizaciones");
  await page.getByRole("button", { name: "Archivar Norte" }).click();
  await expect(page.getByRole("alertdialog", { name: "¿Archivar Norte?" })).toBeVisible();
  await expectSpanish(page);
});

test("claves, secretos y perfiles se llevan en español, también desde un teléfono", async ({ page, toolgate }) => {
  await at(page, "/operate/keys", "Claves de API");
  await expectSpanish(page);
  await page.getByRole("button", { name: "Crear una clave" }).first().click();
  const sheet = page.getByRole("dialog", { name: "Crear una clave" });
  await sheet.getByLabel("Nombre").fill("Importación nocturna");
  await sheet.getByRole("radio", { name: "Una persona" }).click();
  await expect(sheet.getByRole("combobox", { name: "Persona" })).toBeVisible();
  await expectSpanish(page);
  await sheet.getByRole("radio", { name: "Un programa propio" }).click();
  await sheet.getByLabel("Caduca").selectOption("En un año");
  await sheet.getByRole("button", { name: "Crear una clave" }).click();
  const made = page.getByRole("dialog", { name: "La clave “Importación nocturna”" });
  await expect(made).toContainText("Cópiala ahora.");
  await page.keyboard.press("Escape");
  await expect(made, "una tecla suelta no la pierde").toBeVisible();
  await expectSpanish(page);
  await made.getByRole("button", { name: "La he guardado" }).click();
  await page.getByRole("button", { name: "Revocar Importación nocturna" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("No se puede deshacer");
  await expectSpanish(page);
  await page.getByRole("alertdialog").getByRole("button", { name: "Revocar" }).click();
  await page.getByRole("radio", { name: "Todas" }).click();
  await expect(page.getByRole("row", { name: /Importación nocturna/ })).toContainText("Revocada");
  await expectSpanish(page);

  await at(page, "/operate/secrets", "Secretos");
  await expect(page.getByRole("heading", { name: "Todavía no hay secretos" })).toBeVisible();
  await toolgate.addTool("abrir_tique", { secrets: ["TRACKER_TOKEN"], description: "Abre un tique" });
  await page.reload();
  await page.getByRole("region", { name: "Falta 1 secreto" }).getByRole("button", { name: "Poner TRACKER_TOKEN" }).click();
  const secret = page.getByRole("dialog", { name: "Poner un secreto" });
  await secret.getByLabel("Valor").fill("no lo lee nadie");
  await secret.getByRole("radio", { name: "Toda la organización" }).click();
  await expect(secret.getByText("No estás en ningún espacio.")).toBeVisible();
  await expectSpanish(page);
  await secret.getByRole("button", { name: "Poner", exact: true }).click();
  await page.getByRole("button", { name: "Renovar TRACKER_TOKEN" }).click();
  await expectSpanish(page);
  await page.getByRole("dialog").getByRole("button", { name: "Cancelar" }).click();
  await page.getByRole("button", { name: "Eliminar TRACKER_TOKEN" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("después no se podrá llamar a 1 herramienta.");
  await expectSpanish(page);

  await at(page, "/operate/profiles", "Perfiles");
  await expect(page.getByRole("heading", { name: "Todavía no hay perfiles" })).toBeVisible();
  await expectSpanish(page);
  await page.setViewportSize(PHONE);
  await page.getByRole("button", { name: "Hacer un perfil" }).click();
  const profile = page.getByRole("dialog", { name: "Hacer un perfil" });
  await profile.getByLabel("Nombre").fill("cuidado");
  await profile.getByRole("switch", { name: "Cada llamada pregunta a una persona" }).click();
  await profile.getByLabel("Máximo de llamadas").fill("30");
  await profile.getByLabel("En cuántos segundos").fill("60");
  await expectSpanish(page);
  await expectAccessible(page);
  await profile.getByRole("button", { name: "Hacer un perfil" }).click();
  await expect(page.getByText("“cuidado” está hecho.")).toBeVisible();
  await page.getByRole("row", { name: /cuidado/ }).click();
  const kept = page.getByRole("dialog", { name: "Perfil cuidado" });
  await kept.getByLabel("Para qué es").fill("Lo que gasta dinero");
  await expectSpanish(page);
  await kept.getByRole("button", { name: "Guardar" }).click();
  await expect(page.getByText("“cuidado” está cambiado.")).toBeVisible();
  await page.getByRole("row", { name: /cuidado/ }).click();
  await kept.getByRole("button", { name: "Eliminar" }).click();
  await expect(page.getByRole("alertdialog", { name: "¿Eliminar “cuidado”?" })).toContainText("Nadie lo usa");
  await expectSpanish(page);
  await page.getByRole("alertdialog").getByRole("button", { name: "Eliminar" }).click();
  await expect(page.getByText("“cuidado” está eliminado.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Todavía no hay perfiles" })).toBeVisible();
  await expectSpanish(page);
});
