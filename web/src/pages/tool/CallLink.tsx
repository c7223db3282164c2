import { Link } from "@tanstack/react-router";
import { ReceiptText } from "lucide-react";

import { buttonVariants } from "@/ui/button";

import { useT } from "./messages";

/** Opens the call's drawer over this page. */
export function CallLink({ id }: { id: string }) {
  const t = useT();
  return (
    <Link to="." search={(search) => ({ ...search, invocation: id })} className={buttonVariants({ variant: "outline", size: "sm" })}>
      <ReceiptText aria-hidden />
      {t("openCall")}
    </Link>
  );
}
