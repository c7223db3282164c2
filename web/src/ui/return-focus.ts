import { useRef } from "react";

interface Handlers {
  onOpenAutoFocus?: (event: Event) => void;
  onCloseAutoFocus?: (event: Event) => void;
}

/** Most dialogs are opened by a key or an address and have no trigger: whatever had the focus before gets it back. */
export function useReturnFocus({ onOpenAutoFocus, onCloseAutoFocus }: Handlers): Required<Handlers> {
  const before = useRef<Element>(null);
  return {
    onOpenAutoFocus(event) {
      before.current = document.activeElement;
      onOpenAutoFocus?.(event);
    },
    onCloseAutoFocus(event) {
      onCloseAutoFocus?.(event);
      const element = before.current;
      if (event.defaultPrevented || !(element instanceof HTMLElement) || element === document.body || !element.isConnected) return;
      event.preventDefault();
      element.focus();
    },
  };
}
