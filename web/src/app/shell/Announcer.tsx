import { useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";

/** Says the name of the page that one came to: without a load of its own a screen reader would not notice. */
export function Announcer() {
  const router = useRouter();
  const [title, setTitle] = useState("");
  useEffect(
    () =>
      router.subscribe("onResolved", ({ pathChanged }) => {
        // The page sets its title as it appears; after that it can be read out.
        if (pathChanged) requestAnimationFrame(() => setTitle(document.title));
      }),
    [router],
  );
  return (
    <div aria-live="polite" className="sr-only">
      {title}
    </div>
  );
}
