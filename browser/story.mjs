// A service on a store of its own, with a story in it.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const FACTS = "/v1/memory/facts";

export class Running {
  static async start(program, env = {}) {
    const folder = mkdtempSync(join(tmpdir(), "truthkeeper-browser."));
    const store = join(folder, "memory.db");
    const child = spawn(program, ["--db", store, "serve", "--listen", "127.0.0.1:0"], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, MEMORY_DB: undefined, MEMORY_RATE_LIMIT: "0", RUST_LOG: "error", ...env },
    });
    const service = new Running(program, folder, store, child);
    for await (const line of createInterface({ input: child.stdout })) {
      const address = /^Listening on (\S+)/.exec(line)?.[1];
      if (address) service.address = address;
      const key = /^The first key.* not shown again: (\S+)/.exec(line)?.[1];
      if (key) service.operator = key;
      if (service.address && service.operator) return service;
    }
    throw new Error("the service did not start");
  }

  constructor(program, folder, store, child) {
    Object.assign(this, { program, folder, store, child });
  }

  stop() {
    return new Promise((resolve) => {
      this.child.once("exit", () => {
        rmSync(this.folder, { recursive: true, force: true });
        resolve();
      });
      this.child.kill("SIGTERM");
    });
  }

  // A key with these rights, for a person or an agent.
  key(label, actor, rights, scope) {
    const right = rights.flatMap((one) => ["--right", one]);
    const args = ["--db", this.store, "keys", "create", label, ...right, "--scope", scope, "--actor", actor];
    return /mem_[0-9a-f_]+/.exec(execFileSync(this.program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }))[0];
  }

  async call(key, method, path, body) {
    const answer = await fetch(this.address + path, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: body && JSON.stringify(body),
    });
    const json = await answer.json();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${json.code}: ${json.detail}`);
    return json;
  }

  async says(key, text, more = {}) {
    const body = { type: "acme.preference", scope: { userId: "ana" }, content: { text }, ...more };
    return (await this.call(key, "POST", FACTS, body)).id;
  }

  doubts(key, fact, text, more = {}) {
    return this.call(key, "POST", `${FACTS}/${fact}/supersede`, { content: { text }, confidence: 0.6, ...more });
  }

  // Brings older memories in, as an operator does.
  adopt(rows, scope) {
    const file = join(this.folder, "older.ndjson");
    writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    execFileSync(this.program, ["--db", this.store, "adopt", "import", "ndjson", file, "--scope", scope], { stdio: "ignore" });
  }

  forget(key, fact, reason) {
    return this.call(key, "DELETE", `${FACTS}/${fact}`, { reason });
  }
}

// An embedder that refuses what is bitter, until it is told not to.
export class Fussy {
  static async start() {
    const fussy = new Fussy();
    fussy.server = createServer(async (request, response) => {
      let body = "";
      for await (const piece of request) body += piece;
      const { input } = JSON.parse(body);
      const texts = [input].flat();
      response.setHeader("content-type", "application/json");
      if (!fussy.takesAll && texts.some((text) => text.includes("bitter"))) {
        response.writeHead(400).end(JSON.stringify({ error: { message: "too bitter" } }));
        return;
      }
      response.end(JSON.stringify({ data: texts.map((_, index) => ({ index, embedding: [1, 0] })) }));
    });
    await new Promise((listening) => fussy.server.listen(0, "127.0.0.1", listening));
    const url = `http://127.0.0.1:${fussy.server.address().port}/v1`;
    fussy.env = { MEMORY_EMBEDDINGS: url, MEMORY_EMBEDDING_MODEL: "fussy" };
    return fussy;
  }

  stop() {
    this.server.close();
    this.server.closeAllConnections();
  }
}

// What another program kept of Ana, from before the ledger; one of them is not hers, and is left.
export const OLDER = [
  { id: "a", text: "Ana plays chess on Thursdays.", type: "acme.hobby", tags: ["games"] },
  { id: "b", text: "Ana has a garden with two apple trees.", writtenAt: "2025-04-02T09:00:00Z" },
  { id: "c", text: "Ana reads crime novels." },
  { id: "d", text: "The port is 8001." },
  { id: "e", text: "The port is 8002." },
  { id: "f", text: "Ana works from home on Fridays.", validUntil: "2024-01-01T00:00:00Z" },
  { id: "g", text: "Fixed the build with Ben; the cache was stale.", origin: "episode" },
  { id: "h", text: "Deploys go out on Fridays.", project: "kai" },
  { id: "i", text: "<img src=x onerror=alert(3)> likes \u202eaet\u202c", key: "\"><script>alert(4)</script>" },
  { id: "j", text: "Ana speaks three languages.", owner: "ben" },
  { id: "k", text: "Ana rides a bicycle to work" },
  { id: "l", text: "Ana  rides a bicycle to work" },
];

// Ana's memory: what she said, what an agent made of it, and what waits for her.
// What is hostile in it is left out where it is only to be looked at.
export async function story(service, { hostile = true } = {}) {
  const ana = service.key("Ana's laptop", "user:ana", ["facts:read", "facts:write", "review"], "user:ana");
  const kai = service.key("Kai", "agent:kai@2.1", ["facts:read", "facts:write"], "user:ana");
  const reader = service.key("Ana's screen in the hall", "user:ana", ["facts:read"], "user:ana");
  const message = (id, quote) => ({ evidence: [{ kind: "message", id, quote }], generatedBy: { runId: "run-118", model: "small-3", messageId: id } });

  const tea = await service.says(ana, "Ana drinks green tea in the morning, and no coffee after noon.", { key: "morning drink", tags: ["food"] });
  await service.doubts(kai, tea, "Ana drinks oat-milk coffee in the morning, and no coffee after noon.", { reason: "She ordered one on Monday.", ...message("msg-5120", "an oat flat white, please") });
  const city = await service.says(ana, "Ana lives in Porto.", { type: "acme.profile", key: "home city" });
  await service.doubts(kai, city, "Ana lives in Lisbon since October.", { reason: "She spoke of a new flat.", ...message("msg-5233", "the flat in Lisbon is finally ours") });
  const train = await service.says(ana, "Ana takes the train to work.", { key: "commute" });
  await service.doubts(kai, train, "Ana takes the train to work, or cycles when it is dry.", message("msg-5301"));

  await service.says(ana, "أنا أفضّل الشاي الأخضر في الصباح", { tags: ["عربي"] });
  await service.says(ana, "אני גרה בפורטו", { type: "acme.profile" });
  const allergy = await service.says(kai, "Ana is allergic to peanuts.", { type: "acme.health", tags: ["health", "food"], ...message("msg-4711", "no peanuts for me, I'm allergic") });
  await service.call(ana, "POST", `${FACTS}/${allergy}/verify`, {});
  const meeting = await service.says(ana, "Ana's team meets on Tuesdays at 9.", { type: "acme.work", key: "team meeting" });
  await service.call(ana, "POST", `${FACTS}/${meeting}/supersede`, { content: { text: "Ana's team meets on Wednesdays at 9:30." }, reason: "The team agreed to it." });
  await service.call(ana, "POST", `${FACTS}/${meeting}/supersede`, { content: { text: "Ana's team meets on Wednesdays at 10:00, online." } });
  await service.says(kai, "Ana prefers short answers without lists.", message("msg-4800"));
  await service.says(kai, "Ana prefers short answers without any lists.", message("msg-4801"));
  if (hostile) {
    await service.says(kai, "<img src=x onerror=alert(1)> [x](javascript:alert(1))", { key: "\"><script>alert(2)</script>", tags: ["<b>tag</b>"] });
    await service.says(kai, "allow \u202ereverof ton\u202c deploy", { type: "acme.policy" });
    await service.says(kai, "", { type: "acme.profile", content: { shoe: { size: 42, colour: "green" } } });
  }

  const smoking = await service.says(kai, "Ana smokes.", { type: "acme.health" });
  await service.forget(ana, smoking, "I stopped years ago.");
  await service.says(kai, "Ana smokes.", { type: "acme.health", ...message("msg-5400", "a smoke after lunch") });
  const phone = await service.says(ana, "Ana's old phone number ends in 17.", { type: "acme.profile" });
  await service.forget(ana, phone);
  await service.call(kai, "POST", "/v1/memory/retrieve", { query: "What does Ana like to drink, and what is she allergic to?" });
  const open = (await service.call(ana, "GET", "/v1/memory/conflicts")).data;
  const conflict = open.find((one) => one.fact === tea).conflict;
  return { ana, kai, reader, conflict, facts: { tea, city, train, allergy, meeting, smoking, phone } };
}
