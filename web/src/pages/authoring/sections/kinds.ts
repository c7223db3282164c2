// The controls of each kind of tool: what its runtime reads of the execution block.
import type { ControlSpec } from "../controls/types";
import { getAt, type Doc } from "../doc/json";
import type { Key } from "../messages";
import type { Kind } from "../doc/definition";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;
const is = (path: string[], ...values: unknown[]) => (doc: Doc) => values.includes(getAt(doc, path));
const has = (key: string) => (doc: Doc) => doc[key] !== undefined;
const choice = (path: string[], label: Key, choices: ControlSpec["choices"], more: Partial<ControlSpec> = {}): ControlSpec => ({ path, kind: "choice", label, choices, ...more });
const text = (path: string[], label: Key, more: Partial<ControlSpec> = {}): ControlSpec => ({ path, kind: "text", label, ...more });
const number = (path: string[], label: Key, more: Partial<ControlSpec> = {}): ControlSpec => ({ path, kind: "number", label, ...more });
const secret = (path: string[], label: Key, more: Partial<ControlSpec> = {}) => text(path, label, { suggest: "secrets", help: "http.secret.help", ...more });

const PYTHON: ControlSpec[] = [
  choice(["source"], "python.source", [{ value: "input", label: "python.source.input" }], { none: "python.source.code", help: "python.source.help" }),
  choice(["runtime"], "python.runtime", [{ value: "default", label: "python.runtime.default" }, { value: "full", label: "python.runtime.full" }], { none: "python.runtime.auto", help: "python.runtime.help" }),
  { path: ["code"], kind: "code", language: "python", label: "python.code", help: "python.code.help", when: (doc) => doc["source"] !== "input" },
  { path: ["tools"], kind: "words", label: "python.tools", help: "python.tools.help", suggest: "tools" },
  number(["limits", "cpu_ms"], "python.cpu", { more: true, placeholder: "5000" }),
  number(["limits", "wall_ms"], "python.wall", { more: true, placeholder: "10000" }),
  number(["limits", "memory_bytes"], "python.memory", { more: true, placeholder: "67108864" }),
  number(["limits", "max_host_calls"], "python.calls", { more: true, placeholder: "100" }),
  number(["limits", "max_output_bytes"], "python.output", { more: true, placeholder: "1048576" }),
  number(["limits", "max_result_bytes"], "python.result", { more: true, placeholder: "2097152" }),
];

const AUTH_TYPES = ["bearer", "basic", "header", "query", "oauth2_client_credentials"] as const;
const auth = (...types: (typeof AUTH_TYPES)[number][]) => is(["auth", "type"], ...types);

const AUTH: ControlSpec[] = [
  choice(["auth", "type"], "http.auth", AUTH_TYPES.map((value) => ({ value, label: `http.auth.${value}` as const })), { none: "http.auth.none" }),
  secret(["auth", "secret"], "http.auth.secret", { when: auth("bearer", "header", "query") }),
  text(["auth", "name"], "http.auth.name", { when: auth("header", "query"), placeholder: "X-Api-Key" }),
  text(["auth", "prefix"], "http.auth.prefix", { when: auth("header") }),
  text(["auth", "username"], "http.auth.username", { when: auth("basic") }),
  secret(["auth", "username_secret"], "http.auth.usernameSecret", { when: auth("basic") }),
  secret(["auth", "password_secret"], "http.auth.passwordSecret", { when: auth("basic") }),
  text(["auth", "token_url"], "http.auth.tokenUrl", { when: auth("oauth2_client_credentials"), placeholder: "https://" }),
  text(["auth", "client_id"], "http.auth.clientId", { when: auth("oauth2_client_credentials") }),
  secret(["auth", "client_id_secret"], "http.auth.clientIdSecret", { when: auth("oauth2_client_credentials") }),
  secret(["auth", "client_secret"], "http.auth.clientSecret", { when: auth("oauth2_client_credentials") }),
  text(["auth", "scope"], "http.auth.scope", { when: auth("oauth2_client_credentials") }),
  text(["auth", "audience"], "http.auth.audience", { when: auth("oauth2_client_credentials") }),
  choice(["auth", "credentials_in"], "http.auth.in", [{ value: "body", label: "http.auth.in.body" }], { none: "http.auth.in.header", when: auth("oauth2_client_credentials") }),
];

const style = (...styles: string[]) => is(["pagination", "style"], ...styles);

const PAGES: ControlSpec[] = [
  choice(["pagination", "style"], "http.pages", [
    { value: "link_header", label: "http.pages.link" },
    { value: "cursor", label: "http.pages.cursor" },
    { value: "page", label: "http.pages.page" },
    { value: "offset", label: "http.pages.offset" },
  ], { none: "http.pages.none", when: (doc) => (doc["method"] ?? "GET") === "GET" || has("pagination")(doc) }),
  text(["pagination", "items"], "http.pages.items", { when: has("pagination"), placeholder: "data" }),
  text(["pagination", "next"], "http.pages.next", { when: style("cursor"), placeholder: "meta.next_cursor" }),
  text(["pagination", "parameter"], "http.pages.parameter", { when: style("cursor", "page", "offset") }),
  number(["pagination", "start"], "http.pages.start", { when: style("page", "offset") }),
  text(["pagination", "size_parameter"], "http.pages.sizeParameter", { when: style("page") }),
  number(["pagination", "size"], "http.pages.size", { when: style("page") }),
  text(["pagination", "limit_parameter"], "http.pages.limitParameter", { when: style("offset") }),
  number(["pagination", "limit"], "http.pages.limit", { when: style("offset") }),
  number(["pagination", "max_pages"], "http.pages.max", { when: has("pagination"), placeholder: "10" }),
  number(["pagination", "max_items"], "http.pages.maxItems", { when: has("pagination"), placeholder: "1000" }),
];

/** A query may stand alone or in a group. */
const hasPlainQuery = (doc: Doc) => typeof doc["response"] === "string";
const takesBody = (doc: Doc) => !["GET", "HEAD", undefined].includes(doc["method"] as string | undefined) || doc["body"] !== undefined || doc["form"] !== undefined;

const HTTP: ControlSpec[] = [
  choice(["method"], "http.method", METHODS.map((value) => ({ value, label: `http.method.${value}` as const })), { help: "http.method.help" }),
  text(["url"], "http.url", { help: "http.url.help", placeholder: "https://shop.example.com/orders/{order}", needed: true, wide: true }),
  { path: ["query"], kind: "pairs", label: "http.query", help: "http.values.help" },
  { path: ["headers"], kind: "pairs", label: "http.headers" },
  { path: ["body"], kind: "json", label: "http.body", help: "http.body.help", when: takesBody },
  { path: ["form"], kind: "pairs", label: "http.form", help: "http.form.help", when: takesBody },
  ...AUTH,
  text(["response"], "http.response", { help: "http.response.help", when: hasPlainQuery }),
  text(["response", "query"], "http.response", { help: "http.response.help", placeholder: "orders[].{id: id, total: total}", when: (doc) => !hasPlainQuery(doc) }),
  choice(["response", "as"], "http.responseAs", [{ value: "output", label: "http.responseAs.output" }], { none: "http.responseAs.body", when: (doc) => !hasPlainQuery(doc) }),
  ...PAGES,
  choice(["preview"], "http.preview", ["json", "text", "html", "csv", "blob"].map((value) => ({ value, label: `http.preview.${value}` as "http.preview.json" })), { none: "http.preview.auto", more: true }),
  number(["timeout_ms"], "http.timeout", { more: true, placeholder: "30000" }),
  number(["retries", "max"], "http.retries", { more: true }),
  number(["retries", "backoff_ms"], "http.backoff", { more: true }),
  text(["retries", "idempotency_header"], "http.idempotency", { more: true, help: "http.idempotency.help", placeholder: "Idempotency-Key" }),
  number(["max_response_bytes"], "http.maxBytes", { more: true, placeholder: "4194304" }),
  { path: ["accept_status"], kind: "json", label: "http.acceptStatus", help: "http.acceptStatus.help", more: true },
  { path: ["response_headers"], kind: "words", label: "http.responseHeaders", more: true },
  choice(["follow_redirects"], "http.redirects", [{ value: false, label: "no" }], { none: "yes", more: true }),
  number(["max_redirects"], "http.maxRedirects", { more: true, placeholder: "5", when: (doc) => doc["follow_redirects"] !== false }),
  number(["per_host", "max_concurrent"], "http.perHost", { more: true }),
  number(["per_host", "limit"], "http.perHostLimit", { more: true }),
  number(["per_host", "window_s"], "http.perHostWindow", { more: true }),
];

const mode = (...modes: string[]) => (doc: Doc) => modes.includes(String(doc["mode"] ?? "direct"));

const PROMPT: ControlSpec[] = [
  choice(["mode"], "prompt.mode", [{ value: "skill", label: "prompt.mode.skill" }, { value: "agent", label: "prompt.mode.agent" }], { none: "prompt.mode.direct", help: "prompt.mode.help" }),
  text(["skill"], "prompt.skill", { suggest: "skills", when: mode("skill") }),
  text(["agent"], "prompt.agent", { suggest: "agents", when: mode("skill", "agent") }),
  text(["model"], "prompt.model", { help: "prompt.model.help", when: mode("direct", "skill") }),
  { path: ["template"], kind: "code", language: "markdown", label: "prompt.template", help: "prompt.template.help" },
  { path: ["system"], kind: "lines", label: "prompt.system", when: mode("direct") },
  number(["temperature"], "prompt.temperature", { more: true, when: mode("direct", "skill") }),
  number(["max_output_tokens"], "prompt.tokens", { more: true, when: mode("direct", "skill") }),
  number(["max_reasks"], "prompt.reasks", { more: true, help: "prompt.reasks.help", placeholder: "2" }),
  number(["max_depth"], "prompt.depth", { more: true, placeholder: "3", when: mode("agent") }),
];

const TASK: ControlSpec[] = [
  text(["title"], "task.title", { help: "task.title.help", needed: true, wide: true, placeholder: "Check the invoice of {{ customer }}" }),
  { path: ["description"], kind: "lines", label: "task.description" },
  text(["assignee", "role"], "task.role", { suggest: "roles", help: "task.assignee.help" }),
  text(["assignee", "user"], "task.user", { placeholder: "ada@example.org" }),
  text(["assignee", "agent"], "task.agent", { suggest: "agents" }),
  number(["due_in_s"], "task.due", { placeholder: "86400" }),
  { path: ["wait"], kind: "switch", label: "task.wait", help: "task.wait.help" },
  choice(["output"], "task.output", [{ value: "result", label: "task.output.result" }], { none: "task.output.task", when: is(["wait"], true) }),
];

const BUILTIN: ControlSpec[] = [
  text(["handler"], "builtin.handler", { suggest: "handlers", help: "builtin.handler.help", needed: true, wide: true }),
  { path: ["arguments"], kind: "json", label: "builtin.arguments", help: "builtin.arguments.help" },
];

const COMPOSITION: ControlSpec[] = [{ path: ["output"], kind: "json", label: "composition.output", help: "composition.output.help" }];

export const STEP: ControlSpec[] = [
  text(["id"], "step.id", { needed: true }),
  text(["tool"], "step.tool", { suggest: "tools", needed: true }),
  { path: ["input"], kind: "json", label: "step.input", help: "step.input.help" },
  text(["when"], "step.when", { help: "step.when.help", placeholder: "steps.find.output.total > `100`", wide: true }),
  choice(["on_error"], "step.onError", [{ value: "continue", label: "step.onError.continue" }], { none: "step.onError.fail" }),
  number(["retries"], "step.retries", { more: true, placeholder: "0" }),
  { path: ["on_error", "default"], kind: "json", label: "step.default", more: true, help: "step.default.help", when: (doc) => doc["on_error"] !== "continue" },
];

export const KIND_SPECS: Record<Kind, readonly ControlSpec[]> = { python: PYTHON, http: HTTP, prompt: PROMPT, task: TASK, builtin: BUILTIN, composition: COMPOSITION };
