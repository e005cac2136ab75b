// An agent on the TypeScript SDK that asks what its prompt tells it to ask.
//
//   node acp_agent.mjs v1|v2
//
// The text of a prompt is JSON: a list of steps, done one after the other.
//
//   {"ask": PARAMS}                  elicitation/create in the session, params as they are
//   {"ask": PARAMS, "cancel": MS}    and cancel it after so many milliseconds
//   {"complete": ID}                 elicitation/complete
//   {"permission": PARAMS}           session/request_permission
//
// Every answer ({"result": ...} or {"error": {"code", "message", "data"}}) is one line of JSON
// in the agent's message. session/new asks what `_meta.ask` says, in the scope of its request,
// and the id of the session is what came of it.

import { createRequire } from "node:module";
import { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";

const version = process.argv[2] ?? "v1";
const sdk = "@agentclientprotocol/sdk" + (version === "v2" ? "/experimental/v2" : "");
const installed = createRequire(new URL("./node/package.json", import.meta.url));
const acp = await import(pathToFileURL(installed.resolve(sdk)));

const outcome = async (call) => {
  try {
    return { result: await call() };
  } catch (error) {
    return { error: { code: error.code, message: error.message, data: error.data } };
  }
};

const ask = (client, params, ms) => {
  const cancelled = new AbortController();
  if (ms !== undefined) setTimeout(() => cancelled.abort(), ms);
  const options = { cancellationSignal: cancelled.signal };
  return outcome(() => client.request(acp.methods.client.elicitation.create, params, options));
};

const say = (client, sessionId, text) =>
  client.notify(acp.methods.client.session.update, {
    sessionId,
    update: {
      sessionUpdate: "agent_message_chunk",
      messageId: "m",
      content: { type: "text", text: text + "\n" },
    },
  });

const step = async (client, sessionId, one) => {
  if ("ask" in one) return ask(client, { sessionId, ...one.ask }, one.cancel);
  if ("complete" in one) {
    const params = { elicitationId: one.complete };
    await client.notify(acp.methods.client.elicitation.complete, params);
    return { notified: one.complete };
  }
  const params = { sessionId, ...one.permission };
  return outcome(() => client.request(acp.methods.client.session.requestPermission, params));
};

const work = async (client, { sessionId, prompt }) => {
  for (const one of JSON.parse(prompt[0].text)) {
    await say(client, sessionId, JSON.stringify(await step(client, sessionId, one)));
  }
};

const state = (client, sessionId, more) =>
  client.notify(acp.methods.client.session.update, {
    sessionId,
    update: { sessionUpdate: "state_update", ...more },
  });

const prompted = async ({ params, client }) => {
  if (version === "v1") {
    await work(client, params);
    return { stopReason: "end_turn" };
  }
  setImmediate(async () => {
    await state(client, params.sessionId, { state: "running" });
    await work(client, params);
    await state(client, params.sessionId, { state: "idle", stopReason: "end_turn" });
  });
  return { messageId: "u" };
};

const info = { name: "ts-agent", title: "The TypeScript agent", version: "1" };

acp
  .agent({ name: "ts-agent" })
  .onRequest(acp.methods.agent.initialize, () =>
    version === "v1"
      ? { protocolVersion: 1, agentInfo: info, agentCapabilities: {} }
      : { protocolVersion: 2, info, capabilities: {} },
  )
  .onRequest(acp.methods.agent.session.new, async ({ params, client, requestId }) => {
    const asked = params._meta?.ask;
    if (asked === undefined) return { sessionId: "s" };
    const came = await ask(client, { requestId, ...asked });
    return { sessionId: came.result?.action ?? `error ${came.error.code}` };
  })
  .onRequest(acp.methods.agent.session.prompt, prompted)
  .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
