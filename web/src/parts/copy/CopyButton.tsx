import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";

import { notify } from "@/app/notify";
import { Button, type ButtonProps } from "@/ui/button";

import { useT } from "../messages";

const SHOWN_MS = 1_500;

/** Without children only an icon; `label` names what is copied. A function is asked when the copy is made. */
export function CopyButton({ text, label, children, variant = "ghost", size, ...props }: Omit<ButtonProps, "onClick"> & { text: string | (() => string); label?: string }) {
  const t = useT();
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "function" ? text() : text);
      setIsCopied(true);
    } catch {
      notify.info(t("copyFailed"));
    }
  };
  return (
    <Button variant={variant} size={size ?? (children === undefined ? "icon" : "default")} aria-label={children === undefined ? (label ?? t("copy")) : undefined} {...props} onClick={() => void copy()}>
      {isCopied ? <Check aria-hidden className="text-good" /> : <Copy aria-hidden />}
      {children}
      <span role="status" className="sr-only">
        {isCopied && t("copied")}
      </span>
    </Button>
  );
}
