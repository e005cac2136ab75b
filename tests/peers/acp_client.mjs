// A client on the TypeScript SDK that answers what an agent asks it, from a script.
//
//   node acp_client.mjs v1|v2 SCRIPT COMMAND [ARGUMENT ...]
//
// SCRIPT is JSON: {"modes": {...}, "cwd": PATH, "prompts": [TEXT, ...], "answers": [...]}, where
// an answer is a result, or {"cancelTurn": true}, which cancels the turn and answers nothing by
// itself. Prints one object of JSON: what was asked and completed, what the agent said, the
// session, and for each prompt why it stopped.

import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";

const [version, script, command, ...rest] = process.argv.slice(2);
const { modes, cwd, prompts, answers } = JSON.parse(script);
const sdk = "@agentclientprotocol/sdk" + (version === "v2" ? "/experimental/v2" : "");
const installed = createRequire(new URL("./node/package.json", import.meta.url));
const acp = await import(pathToFileURL(installed.resolve(sdk)));

const seen = { asked: [], cancelled: [], completed: [], text: "", stops: [], states: [] };
let idle = () => {};
let agent;

const answer = async ({ params, signal }) => {
  seen.asked.push(params);
  const next = answers.shift() ?? { action: "cancel" };
  if (!next.cancelTurn) return next;
  const gone = new Promise((resolve) => signal.addEventListener("abort", resolve));
  await agent.notify(acp.methods.agent.session.cancel, { sessionId: params.sessionId });
  await gone;
  seen.cancelled.push(params.message);
  throw acp.RequestError.requestCancelled();
};

const updated = ({ params: { update } }) => {
  if (update.sessionUpdate === "agent_message_chunk") seen.text += update.content.text;
  if (update.sessionUpdate !== "state_update") return;
  seen.states.push(update.state);
  if (update.state === "idle") idle(update.stopReason);
};

const hello =
  version === "v1"
    ? { protocolVersion: 1, clientCapabilities: { elicitation: modes } }
    : {
        protocolVersion: 2,
        info: { name: "ts-client", version: "1" },
        capabilities: { elicitation: modes },
      };

const prompted = async (sessionId, text) => {
  const stopped = new Promise((resolve) => (idle = resolve));
  const params = { sessionId, prompt: [{ type: "text", text }] };
  try {
    const result = await agent.request(acp.methods.agent.session.prompt, params);
    return version === "v1" ? result.stopReason : await stopped;
  } catch (error) {
    return { code: error.code, message: error.message };
  }
};

const child = spawn(command, rest, { stdio: ["pipe", "pipe", "inherit"] });
const stream = acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
await acp
  .client({ name: "ts-client" })
  .onRequest(acp.methods.client.elicitation.create, answer)
  .onNotification(acp.methods.client.elicitation.complete, ({ params }) => {
    seen.completed.push(params.elicitationId);
  })
  .onNotification(acp.methods.client.session.update, updated)
  .connectWith(stream, async (context) => {
    agent = context;
    await agent.request(acp.methods.agent.initialize, hello);
    const opened = await agent.request(acp.methods.agent.session.new, { cwd, mcpServers: [] });
    seen.session = opened.sessionId;
    for (const text of prompts) seen.stops.push(await prompted(opened.sessionId, text));
  });
console.log(JSON.stringify(seen));
child.stdin.end();
