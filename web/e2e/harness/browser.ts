// Debian's Chromium, twice: the engine alone, which most stories need and which takes a quarter less time; and the whole browser.

// Containers run as root and have little shared memory. What is tested is our page, not the browser's sandbox.
const args = ["--no-sandbox", "--disable-dev-shm-usage", "--font-render-hinting=none"];

export const browser = { executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell", args };

/** With what stands around a page, such as notices. A story that needs it says `test.use({ launchOptions: wholeBrowser })`. */
export const wholeBrowser = { executablePath: "/usr/bin/chromium", args };
