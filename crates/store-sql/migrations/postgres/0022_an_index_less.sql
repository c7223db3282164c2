-- No plan used it: who asks for the calls of a tool asks for those of its versions and of its bare name at once, and newest first. Every
-- group of calls opened it twice all the same.
DROP INDEX tool_invocations_of_unknown_tools;
