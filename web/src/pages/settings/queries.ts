import { useMutation, useQueryClient } from "@tanstack/react-query";

import { api, data, type Schemas } from "@/api/client";
import { settingsQuery } from "@/api/queries";

export type Settings = Schemas["TenantSettings"];

export function usePutSettings(quiet = false) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Settings) => data(api.PUT("/api/settings", { body })),
    onSuccess: (saved) => queryClient.setQueryData(settingsQuery.queryKey, saved),
    meta: { quiet },
  });
}
