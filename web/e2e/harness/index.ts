// What a story needs: `import { test, expect, … } from "../harness"`.
import { test as base, expect, type Page } from "@playwright/test";

import { Servers, takesPictures, type Database } from "./server";
import { Guard } from "./guard";
import { House, type Person, type Role } from "./house";
import { fixClock } from "./shot";
import { enter } from "./sign-in";

export interface Options {
  database: Database;
  /** More arguments of `toolgate serve`, by `test.use({ serverArgs: […] })`. */
  serverArgs: string[];
}

interface Fixtures {
  /** A tenant of the story's own with its people, on a server that the worker's stories share; or a server of its own, see `OWN`. */
  toolgate: House;
  /** What must not happen in any story; checked when it is over. */
  guard: Guard;
  /** Signs somebody in without the form, for stories that are not about it. */
  signedInAs: (role: Role) => Promise<Person>;
  /** Another browser, with its own cookies, signed in as somebody; the same things are forbidden in it. */
  anotherBrowser: (role: Role) => Promise<Page>;
}

interface WorkerFixtures {
  /** The servers of this worker, by their database and arguments; each is started when it is first asked for. */
  servers: Servers;
}

/** `test("…", OWN, …)`: the story stops the server, changes it, reads its database, or is about tenants. */
export const OWN = { tag: "@own" };

export const test = base.extend<Fixtures & Options, WorkerFixtures>({
  database: ["embedded", { option: true }],
  serverArgs: [[], { option: true }],

  servers: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from here
    async ({}, tell) => {
      const servers = new Servers();
      await tell(servers);
      await servers.remove();
    },
    { scope: "worker" },
  ],

  toolgate: async ({ database, serverArgs, servers }, tell, info) => {
    // A picture shows one installation, as its first tenant sees it.
    const own = takesPictures || info.tags.includes(OWN.tag);
    const house = own ? await House.open(database, serverArgs) : await House.move(await servers.get(database, serverArgs));
    await tell(house);
    if (info.status !== info.expectedStatus) await info.attach("the server's log", { body: house.server.log });
    await house.close();
  },

  baseURL: async ({ toolgate }, tell) => tell(toolgate.url),

  guard: [
    async ({ context, toolgate }, tell) => {
      const guard = new Guard(() => toolgate.url);
      await guard.watch(context);
      await tell(guard);
      expect(guard.violations, "what the browser complained of").toEqual([]);
    },
    { auto: true },
  ],

  page: async ({ page }, tell) => {
    await fixClock(page);
    await tell(page);
  },

  signedInAs: async ({ context, toolgate }, tell) => {
    await tell(async (role) => {
      const person = await toolgate.person(role);
      await enter(context, toolgate.url, person);
      return person;
    });
  },

  anotherBrowser: async ({ browser, toolgate, guard }, tell) => {
    const opened: Page[] = [];
    await tell(async (role) => {
      const context = await browser.newContext({ baseURL: toolgate.url, locale: "en-US", timezoneId: "UTC" });
      await guard.watch(context);
      await enter(context, toolgate.url, await toolgate.person(role));
      const page = await context.newPage();
      opened.push(page);
      return page;
    });
    for (const page of opened) await page.context().close();
  },
});

export { expect };
export { expectAccessible, expectNoSidewaysScroll } from "./accessible";
export type { Answer } from "./api";
export { SERVER_GONE } from "./guard";
export type { Person, Role } from "./house";
export { PASSWORD } from "./house";
export { shot, PHONE, DESKTOP } from "./shot";
export { signIn, signOut } from "./sign-in";
