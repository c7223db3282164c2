/** The last moment of a day, where the reader is. */
export function endOfDay(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString();
}
