import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api, data, type Schemas } from "@/api/client";

export type Provider = Schemas["Provider"];
export type ProviderParams = Schemas["ProviderParams"];

const PROVIDERS = ["providers"] as const;

export const providersQuery = queryOptions({
  queryKey: PROVIDERS,
  queryFn: async ({ signal }) => (await data(api.GET("/api/providers", { signal }))).items,
});

/** Names that can be chosen as a key. Whoever may not list them types one. */
export const secretNamesQuery = queryOptions({
  queryKey: ["secrets", "names"],
  queryFn: async ({ signal }) => [...new Set((await data(api.GET("/api/secrets", { signal }))).items.map(({ name }) => name))].sort(),
  staleTime: 60_000,
  retry: false,
});

/** Without an id: a new one. */
export function useSaveProvider(quiet = false) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, body }: { id?: string; body: ProviderParams }) =>
      id === undefined ? data(api.POST("/api/providers", { body })) : data(api.PUT("/api/providers/{id}", { params: { path: { id } }, body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: PROVIDERS }),
    meta: { quiet },
  });
}

export function useDeleteProvider() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => data(api.DELETE("/api/providers/{id}", { params: { path: { id } } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: PROVIDERS }),
  });
}
