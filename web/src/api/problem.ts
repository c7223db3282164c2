// What the server answers instead of a result (application/problem+json), and what we say when there is no answer at all.

export interface ProblemBody {
  code?: string;
  title?: string;
  detail?: string;
  hint?: string;
  status?: number;
  retry_after_s?: number;
  [member: string]: unknown;
}

/** `UNREACHABLE` is our own code: no answer came, so the title and the advice come from the message catalogue. */
export const UNREACHABLE = "UNREACHABLE";

export class Problem extends Error {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly hint: string | undefined;
  readonly retryAfterS: number | undefined;
  /** The whole document: some problems carry members of their own, such as the errors of an input. */
  readonly body: ProblemBody;

  constructor(status: number, body: ProblemBody) {
    super(body.detail ?? body.title ?? `HTTP ${status}`);
    this.name = "Problem";
    this.status = status;
    this.body = body;
    // A call that was turned away answers with its envelope: the reason is inside.
    const error = body.error as { code?: string; message?: string } | undefined;
    this.code = body.code ?? error?.code ?? `HTTP_${status}`;
    this.title = body.title ?? "";
    this.detail = body.detail ?? error?.message ?? "";
    this.hint = typeof body.hint === "string" ? body.hint : undefined;
    this.retryAfterS = body.retry_after_s;
  }

  get isUnauthenticated(): boolean {
    return this.status === 401;
  }

  get isForbidden(): boolean {
    return this.status === 403;
  }

  get isNotFound(): boolean {
    return this.status === 404;
  }

  get isConflict(): boolean {
    return this.status === 409;
  }

  /** Worth trying again without changing anything. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 502;
  }
}

export function unreachable(): Problem {
  return new Problem(0, { code: UNREACHABLE });
}

/** Whatever was thrown, as a problem: a bug of ours keeps its message in `detail`. */
export function asProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  return new Problem(-1, { code: "CLIENT", detail });
}

/** Reads a refused response. A proxy in between may answer with HTML: then the status is all there is to say. */
export async function problemOf(response: Response): Promise<Problem> {
  try {
    const body: unknown = await response.json();
    if (typeof body === "object" && body !== null) return new Problem(response.status, body as ProblemBody);
  } catch {
    // Not JSON: the status has to do.
  }
  return new Problem(response.status, { title: response.statusText });
}
