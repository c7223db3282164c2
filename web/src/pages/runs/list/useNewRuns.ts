import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import { live } from "@/api/live";
import { keys } from "@/api/queries";

const RUN_TOOL = "run_agent";

/** A run is a call of `run_agent`: when one starts, the list has one more. */
export function useNewRuns(): void {
  const queryClient = useQueryClient();
  useEffect(
    () =>
      live.listen((event) => {
        if (event.type === "tool.started" && event.data.name === RUN_TOOL) void queryClient.invalidateQueries({ queryKey: [...keys.runs, "list"] });
      }),
    [queryClient],
  );
}
