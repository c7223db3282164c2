import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api, data, type Schemas } from "@/api/client";
import { keys } from "@/api/queries";

import { allPages } from "../shared/all-pages";

export type Profile = Schemas["Profile"];
export type Assignment = Schemas["Assignment"];

const PROFILES = ["profiles"] as const;

export const profilesQuery = queryOptions({
  queryKey: PROFILES,
  queryFn: async ({ signal }) => (await data(api.GET("/api/profiles", { signal }))).items,
});

/** All of them: who uses a profile is not asked profile by profile. */
export const assignmentsQuery = queryOptions({
  queryKey: [...keys.agents, "assignments"],
  queryFn: ({ signal }) => allPages<Assignment>((cursor) => data(api.GET("/api/assignments", { params: { query: { limit: 200, cursor } }, signal }))),
});

export function useSaveProfile(id: string | undefined) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["ProfileParams"]) => data(id === undefined ? api.POST("/api/profiles", { body }) : api.PUT("/api/profiles/{id}", { params: { path: { id } }, body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: PROFILES }),
    meta: { quiet: true },
  });
}

export function useDeleteProfile(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => data(api.DELETE("/api/profiles/{id}", { params: { path: { id } } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: PROFILES }),
    // Somebody may have begun to use it meanwhile: then the dialog tells.
    onError: () => queryClient.invalidateQueries({ queryKey: assignmentsQuery.queryKey }),
    meta: { quiet: true },
  });
}
