// What can lie over any page, opened by the URL (`?invocation=…`). An area adds its drawer here, as a lazy component.
export function Overlays() {
  return null;
}
