// What of a moment counts when two runs are compared: what was given, asked for and answered. Ids, times and costs do not.
import { changesOf } from "@/parts/changes/changes";

import type { Asked, Moment } from "./moments";

export function comparable(moment: Moment | undefined): unknown {
  switch (moment?.kind) {
    case undefined:
      return undefined;
    case "begin": {
      const { message, model, parameters, system, policy_version, tools, history } = moment.begin;
      return { message, model, parameters, system, policy_version, tools: tools.map(({ name, version }) => `${name}@${version}`), history };
    }
    case "turn": {
      const { text } = moment.kept.turn;
      return { text, asked: moment.asked.map(ofAsked) };
    }
    case "end": {
      const { status, response, error } = moment.run;
      return { status, response, error: error ?? undefined };
    }
  }
}

function ofAsked({ wish, call, search }: Asked): unknown {
  const given = wish === undefined ? call?.input : "json" in wish.arguments ? wish.arguments.json : wish.arguments.malformed;
  const answer = call && { tool: call.tool_key, status: call.status, changed_input: call.approved_input, output: call.output, error: call.error };
  return { name: wish?.name, arguments: given, ...answer, found: search?.found.map(({ name }) => name) };
}

/** The number of the first moment that is not alike; nothing when all are. */
export function firstDifference(one: Moment[], other: Moment[]): number | undefined {
  const length = Math.max(one.length, other.length);
  for (let index = 0; index < length; index += 1) {
    if (changesOf(comparable(one[index]), comparable(other[index])).length > 0) return index;
  }
  return undefined;
}
