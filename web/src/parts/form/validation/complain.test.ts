import { describe, expect, it } from "vitest";

import cases from "../messages.golden.json";
import { complaints, type Complaint } from "./complain";

function sorted(list: Complaint[]): string[] {
  return list.map(({ path, message }) => `${path}: ${message}`).sort();
}

// The server's own words, written by its test `messages::the_form_and_the_door_say_the_same`.
describe("the form says what the server would say", () => {
  it.each(cases.map((given) => [given.name, given] as const))("%s", (_, { schema, instance, errors }) => {
    expect(sorted(complaints(schema, instance))).toEqual(sorted(errors));
  });
});
