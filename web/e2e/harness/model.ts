// A model that plays a script, so that what an agent says and does comes out the same every time.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The file that `--model-script` wants. The first rule that fits answers. */
export function script(rules: unknown[]): string {
  const file = join(mkdtempSync(join(tmpdir(), "toolgate-script-")), "model.json");
  writeFileSync(file, JSON.stringify({ rules }));
  return file;
}
