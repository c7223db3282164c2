// What no story may do, whatever it is about: ask another origin for anything, break the Content-Security-Policy, or leave an error
// in the browser's console.
import type { BrowserContext, ConsoleMessage, Page } from "@playwright/test";

/** A browser notes every refusal; these are how a page learns that nobody is signed in, or that a password was wrong. */
const ALWAYS_FINE = [/status of 401 .*\/api\/auth\/(me|login)$/];

/** What a browser notes when the server goes away: which of these depends on what it was asking at that moment. */
export const SERVER_GONE = /ERR_(CONNECTION_REFUSED|CONNECTION_RESET|CONNECTION_ABORTED|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|SOCKET_NOT_CONNECTED|FAILED)|Failed to fetch|network error|status of 503/;

export class Guard {
  private readonly found: string[] = [];
  private readonly allowed: RegExp[] = [...ALWAYS_FINE];

  constructor(private readonly origin: () => string) {}

  /** Says that the story brings this about on purpose, such as a refusal (`/status of 409/`). */
  allow(...expected: RegExp[]): void {
    this.allowed.push(...expected);
  }

  /** Everything that was noticed, allowed or not. */
  get noticed(): readonly string[] {
    return this.found;
  }

  get violations(): string[] {
    return this.found.filter((text) => !this.allowed.some((expected) => expected.test(text)));
  }

  async watch(context: BrowserContext): Promise<void> {
    context.on("page", (page) => this.watchPage(page));
    context.on("request", (request) => this.asked(request.url()));
    await context.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => {
        console.error(`policy violated: ${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}`);
      });
    });
  }

  private watchPage(page: Page): void {
    page.on("console", (message) => this.said(message));
    page.on("pageerror", (error) => this.found.push(`uncaught: ${error.stack ?? error.message}`));
    page.on("websocket", (socket) => this.asked(socket.url()));
  }

  private asked(url: string): void {
    const { protocol, origin } = new URL(url);
    const isOwn = origin === this.origin() || ["data:", "blob:", "about:"].includes(protocol);
    if (!isOwn) this.found.push(`another origin was asked: ${url}`);
  }

  private said(message: ConsoleMessage): void {
    if (message.type() === "error") this.found.push(`console: ${message.text()} ${message.location().url}`);
  }
}
