// An API of somebody else, on loopback: orders to look up, and tickets to open. It knows one token.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const TOKEN = "token-of-the-shop";
const ORDERS: Record<string, object> = {
  "A-17": { id: "A-17", customer: "Northwind Traders", total: 129.5, internal: { margin: 0.4 } },
  "A-18": { id: "A-18", customer: "Blue Yonder", total: 18, internal: { margin: 0.2 } },
};

export class Shop {
  /** What was sent to open tickets. */
  readonly tickets: unknown[] = [];
  private readonly server: Server = createServer((request, response) => void this.answer(request, response));

  static async start(): Promise<Shop> {
    const shop = new Shop();
    await new Promise<void>((ready) => shop.server.listen(0, "127.0.0.1", ready));
    return shop;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.url);
    const json = (status: number, body: unknown) => void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return json(401, { error: "who are you?" });
    if (request.method === "POST" && url.pathname === "/tickets") {
      this.tickets.push(JSON.parse(await bodyOf(request)));
      return json(201, { ticket: `T-${String(this.tickets.length)}` });
    }
    if (url.pathname === "/orders/moved") return void response.writeHead(302, { location: "http://127.0.0.2:9/orders" }).end();
    const order = ORDERS[url.pathname.replace("/orders/", "")];
    return order === undefined ? json(404, { error: "no such order" }) : json(200, { ...order, asked_in: url.searchParams.get("currency") });
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
