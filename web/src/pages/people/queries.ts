import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import { api, data, type Schemas } from "@/api/client";
import { usePages, type Pages } from "@/api/pages";
import { keys } from "@/api/queries";

export type Person = Schemas["UserResponse"];
export type Role = Schemas["RoleResponse"];
export type NewPerson = Schemas["CreateUserParams"];
export type PersonChange = Schemas["UpdateUserParams"];

export const USERS = ["users"] as const;
const ROLES = ["roles"] as const;
const PAGE_SIZE = 200;

/** The people of the tenant. The API does not search among them: who filters needs `all` of them. */
export function usePeople(all = false, enabled = true): Pages<Person> {
  const pages = usePages<Person>(
    [...USERS, "list"],
    (cursor, signal) => data(api.GET("/api/users", { params: { query: { limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) } }, signal })),
    enabled,
  );
  const { hasMore, isLoadingMore, more, error } = pages;
  // A page that failed is not asked for again and again: whoever looks can retry.
  const wantsMore = all && hasMore && !isLoadingMore && error === null;
  useEffect(() => {
    if (wantsMore) more();
  });
  return pages;
}

export const rolesQuery = queryOptions({
  queryKey: ROLES,
  queryFn: async ({ signal }) => (await data(api.GET("/api/roles", { signal }))).items,
});

export function useAddPerson() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: NewPerson) => data(api.POST("/api/users", { body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: USERS }),
    meta: { quiet: true },
  });
}

export interface ChangeOfPerson {
  id: string;
  change: PersonChange;
}

/** `quiet`: whoever asked shows the refusal beside the form. */
export function useChangePerson(quiet = false) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, change }: ChangeOfPerson) => data(api.PATCH("/api/users/{id}", { params: { path: { id } }, body: change })),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: USERS });
      // One may have changed oneself: then the menus change as well.
      await queryClient.invalidateQueries({ queryKey: keys.me });
    },
    meta: { quiet },
  });
}

export function usePutRole(quiet = false) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ name, permissions }: Pick<Role, "name" | "permissions">) => data(api.PUT("/api/roles/{name}", { params: { path: { name } }, body: { permissions } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ROLES }),
    meta: { quiet },
  });
}

export function useDeleteRole() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => data(api.DELETE("/api/roles/{name}", { params: { path: { name } } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ROLES }),
  });
}

export function useAddWorkspace() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["CreateWorkspaceParams"]) => data(api.POST("/api/workspaces", { body })),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keys.workspaces });
      await queryClient.invalidateQueries({ queryKey: keys.me });
    },
    meta: { quiet: true },
  });
}

export function useAddTenant() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["CreateTenantParams"]) => data(api.POST("/api/tenants", { body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.tenants }),
    meta: { quiet: true },
  });
}

export function useArchiveTenant() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => data(api.POST("/api/tenants/{id}/archive", { params: { path: { id } } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.tenants }),
  });
}
