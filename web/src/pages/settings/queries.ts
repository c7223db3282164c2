import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api, data, type Schemas } from "@/api/client";

export type Settings = Schemas["TenantSettings"];

export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: ({ signal }) => data(api.GET("/api/settings", { signal })),
});

export function usePutSettings(quiet = false) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Settings) => data(api.PUT("/api/settings", { body })),
    onSuccess: (saved) => queryClient.setQueryData(settingsQuery.queryKey, saved),
    meta: { quiet },
  });
}
