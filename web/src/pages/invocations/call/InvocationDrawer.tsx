import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";

import { invocationQuery } from "@/api/queries";
import { Failed, Loading } from "@/parts/states/states";
import { Sheet, SheetBody, SheetContent, SheetDescription, SheetHeader, SheetTitle } from "@/ui/sheet";

import { useT } from "../messages";
import { CallBody } from "./CallBody";
import { CallHead } from "./CallHead";

/** A call over whatever page: the address keeps which. Closing it leaves the page as it was. */
export default function InvocationDrawer({ id }: { id: string }) {
  const t = useT();
  const navigate = useNavigate();
  const { data: call, error, refetch } = useQuery(invocationQuery(id));
  const close = () => void navigate({ to: ".", search: (search) => ({ ...search, invocation: undefined }) });
  return (
    <Sheet open onOpenChange={(isOpen) => !isOpen && close()}>
      <SheetContent className="max-w-3xl" data-scroll="">
        <SheetHeader>
          <SheetTitle className="break-words">{call ? t("call.title", { tool: call.tool_name }) : t("call")}</SheetTitle>
          <SheetDescription className="sr-only">{t("call.description")}</SheetDescription>
          {call && <CallHead call={call} />}
        </SheetHeader>
        <SheetBody className="overflow-y-visible">
          {error && !call ? <Failed error={error} onRetry={() => void refetch()} /> : call ? <CallBody key={call.id} call={call} /> : <Loading />}
        </SheetBody>
      </SheetContent>
    </Sheet>
  );
}
