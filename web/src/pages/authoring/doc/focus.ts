import { idAt, pathOf } from "./json";

const FOCUSABLE = "input, select, textarea, button, [contenteditable=true], [tabindex]";

/** The focus goes to an element that the next drawing makes or moves. */
export function focusSoon(id: string): void {
  requestAnimationFrame(() => document.getElementById(id)?.focus());
}

/** Leads to the control of a place, or to the nearest one around it that is shown. */
export function focusPlace(pointer: string): void {
  // The section of the place may only now be drawn.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const steps = pathOf(pointer);
      for (let length = steps.length; length > 0; length -= 1) {
        const element = document.getElementById(idAt(steps.slice(0, length)));
        if (!element) continue;
        const target = element.matches(FOCUSABLE) ? element : element.querySelector<HTMLElement>(FOCUSABLE);
        (target ?? element).focus({ preventScroll: true });
        element.scrollIntoView({ block: "center" });
        return;
      }
    }),
  );
}
