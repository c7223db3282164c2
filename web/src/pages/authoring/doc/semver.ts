export interface NextVersions {
  patch: string;
  minor: string;
  major: string;
}

const SHAPE = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

/** The versions that could follow one; nothing when it is no version. A pre-release is followed by its release. */
export function nextVersions(version: string): NextVersions | undefined {
  const match = SHAPE.exec(version.trim());
  if (!match) return undefined;
  const [major = 0, minor = 0, patch = 0] = match.slice(1, 4).map(Number);
  return {
    patch: match[4] === undefined ? `${major}.${minor}.${patch + 1}` : `${major}.${minor}.${patch}`,
    minor: `${major}.${minor + 1}.0`,
    major: `${major + 1}.0.0`,
  };
}

/** The next versions after the newest there is, and after the one at hand. */
export function nextAfter(version: string, published: readonly string[]): NextVersions | undefined {
  const known = [version, ...published].filter((one) => SHAPE.test(one)).sort(compareVersions);
  return nextVersions(known.at(-1) ?? version);
}

export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((one) => SHAPE.exec(one));
  if (!left || !right) return a.localeCompare(b);
  for (const part of [1, 2, 3]) {
    const difference = Number(left[part]) - Number(right[part]);
    if (difference !== 0) return difference;
  }
  // A pre-release comes before its release.
  if (left[4] === right[4]) return 0;
  if (left[4] === undefined || right[4] === undefined) return left[4] === undefined ? 1 : -1;
  return left[4].localeCompare(right[4], undefined, { numeric: true });
}
