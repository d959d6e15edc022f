// What an owner does, step by step. A visitor looks at each page on the way.
import assert from "node:assert/strict";
import { OLDER } from "./story.mjs";

const shown = (page, text) => page.getByText(text, { exact: false }).locator("visible=true").first().waitFor();
const summary = (page, text) => page.locator("summary", { hasText: text });
const gone = async (page, text) => assert.equal(await page.getByText(text, { exact: true }).count(), 0, text);

export async function signIn({ page }, service, key) {
  await page.goto(`${service.address}/sign-in`);
  await page.getByLabel("Key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Memory" }).waitFor();
}

export async function everything(visitor, service, told) {
  await signing(visitor, service, told);
  await reading(visitor, service, told);
  await changing(visitor, service, told);
  await conflicts(visitor, service, told);
  await forgotten(visitor, service, told);
  await review(visitor, service, told);
  await many(visitor, service, told);
  await keyboard(visitor, service, told);
  await adoption(visitor, service, told);
  await readers(visitor, service, told);
  await operators(visitor, service, told);
}

async function signing(visitor, service, { ana }) {
  const { page } = visitor;
  await page.goto(`${service.address}/conflicts`);
  await visitor.look("sign in");
  await page.getByLabel("Key").fill("mem_wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await shown(page, "That key opens nothing");
  await visitor.look("sign in, refused");
  await page.getByLabel("Key").fill(ana);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Conflicts" }).waitFor();
}

async function reading(visitor, service, { facts }) {
  const { page } = visitor;
  await page.goto(`${service.address}/memory`);
  await shown(page, "<img src=x onerror=alert(1)>");
  await page.locator(".mark", { hasText: "U+202E" }).first().waitFor();
  const hebrew = page.locator(".said", { hasText: "אני גרה" });
  assert.equal(await hebrew.evaluate((said) => getComputedStyle(said).direction), "rtl");
  await visitor.look("memory");
  await page.getByText("Filters").click();
  await page.getByLabel("Type").fill("acme.health");
  await page.getByRole("button", { name: "Show" }).click();
  await shown(page, "Ana is allergic to peanuts.");
  await gone(page, "Ana prefers short answers without lists.");
  await visitor.look("memory, filtered");
  await page.goto(`${service.address}/memory`);
  await page.getByRole("searchbox").fill("what does Ana drink in the morning");
  await page.getByRole("button", { name: "Search" }).click();
  await shown(page, "in conflict");
  await visitor.look("search");
  await page.goto(`${service.address}/memory/${facts.meeting}`);
  await page.locator("ins", { hasText: "10:00" }).first().waitFor();
  await page.getByText("Version 1", { exact: true }).waitFor();
  await visitor.look("a fact");
  await page.goto(`${service.address}/memory?q=peanuts`);
  await page.goto(`${service.address}/memory/${facts.allergy}`);
  await shown(page, "asked:");
  await page.getByText("Where it comes from").first().click();
  await visitor.look("a fact with its origin");
  await page.goto(`${service.address}/memory/${facts.tea}`);
  await shown(page, "It is in conflict");
  await visitor.look("a contested fact");
  await page.goto(`${service.address}/nothing-here`);
  await shown(page, "There is no such thing here");
  await visitor.look("nothing");
}

async function changing(visitor, service, told) {
  const { page } = visitor;
  await page.goto(`${service.address}/memory`);
  await page.getByRole("link", { name: "Write a fact" }).click();
  await visitor.look("write");
  await page.getByLabel("What it says").fill("Ana plays the viola.");
  await page.getByLabel("Type").fill("no type");
  await page.getByRole("button", { name: "Remember" }).click();
  await page.getByRole("alert").waitFor();
  assert.equal(await page.getByLabel("What it says").inputValue(), "Ana plays the viola.");
  await visitor.look("write, refused");
  await page.getByLabel("Type").fill("acme.hobby");
  await page.getByRole("button", { name: "Remember" }).click();
  await shown(page, "It is remembered.");
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("What it says").fill("Ana plays the violin.");
  await page.getByLabel("Why").fill("I misspoke.");
  await visitor.look("edit");
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator("del", { hasText: "viola" }).waitFor();
  await page.getByRole("button", { name: "Verify" }).click();
  await shown(page, "It is verified");
  await page.getByRole("button", { name: "Legal hold" }).click();
  await shown(page, "It is under legal hold");
  await summary(page, "Forget").click();
  await page.getByRole("button", { name: "Forget" }).click();
  await shown(page, "It stands otherwise now");
  await visitor.look("refused");
  await page.goBack();
  await page.getByRole("button", { name: "Lift the legal hold" }).click();
  await summary(page, "Move").click();
  await page.getByLabel("Scope to move it to").fill("user:ana/session:s1");
  await visitor.look("a fact with a form open");
  await page.getByRole("button", { name: "Move" }).click();
  await shown(page, "It is moved.");
  await summary(page, "Forget").click();
  await page.getByLabel("Why (others").fill("It was a test.");
  await page.getByRole("button", { name: "Forget" }).click();
  await shown(page, "It is forgotten.");
  await visitor.look("a forgotten fact");
  await page.getByRole("button", { name: "Undo" }).click();
  await shown(page, "It is back");
}

async function conflicts(visitor, service, { kai, facts }) {
  const { page } = visitor;
  await page.goto(`${service.address}/conflicts`);
  await visitor.look("conflicts");
  await page.getByRole("link", { name: "Begin with the first" }).click();
  await shown(page, "1 of 3");
  await visitor.look("a conflict");
  const boxes = await page.locator(".sidecard").evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().top));
  assert.equal(boxes[0] === boxes[1], visitor.view.width > 800, "side by side, or stacked where it is narrow");
  await page.getByRole("link", { name: "Skip", exact: true }).click();
  await shown(page, "2 of 3");
  await page.goBack();
  // It changes while one looks at it, and nothing that was typed is lost.
  await page.getByLabel("A note with your decision").fill("Tea, as always.");
  await page.getByText("Neither is right").click();
  await page.getByLabel("What is true instead").fill("Ana drinks white tea.");
  await service.doubts(kai, facts.tea, "Ana drinks hot chocolate in the morning.");
  await page.getByRole("button", { name: "Keep version 1" }).click();
  await shown(page, "It changed while you looked at it.");
  assert.equal(await page.getByLabel("A note with your decision").inputValue(), "Tea, as always.");
  assert.equal(await page.getByLabel("What is true instead").inputValue(), "Ana drinks white tea.");
  await visitor.look("a conflict that changed");
  await page.getByRole("button", { name: "Keep version 1" }).click();
  await shown(page, "Kept version 1.");
  await visitor.look("the next conflict");
  await page.getByRole("button", { name: "Undo" }).click();
  await shown(page, "The conflict is open again.");
  await page.getByRole("button", { name: "Keep version 1" }).click();
  await page.getByText("Neither is right").click();
  await page.getByLabel("What is true instead").fill("Ana lives in Porto and has a flat in Lisbon.");
  await page.getByRole("button", { name: "This is true" }).click();
  await shown(page, "It says what you wrote now.");
  await summary(page, "Both are true").click();
  await visitor.look("both are true");
  await page.getByRole("button", { name: "Both are true" }).click();
  await shown(page, "Nothing is contested");
  await visitor.look("no conflict");
}

async function forgotten(visitor, service) {
  const { page } = visitor;
  await page.goto(`${service.address}/forgotten`);
  await shown(page, "I stopped years ago.");
  await visitor.look("forgotten");
  const phone = page.locator(".fact", { hasText: "old phone number" });
  await phone.getByRole("button", { name: "Restore" }).click();
  await shown(page, "It is back, current from now.");
}

async function review(visitor, service) {
  const { page } = visitor;
  await page.goto(`${service.address}/review`);
  await shown(page, "said again after you forgot it");
  await visitor.look("review");
  await page.getByRole("link", { name: "Possible duplicates" }).click();
  await visitor.look("possible duplicates");
  await page.getByRole("button", { name: "Merge: this one goes on" }).first().click();
  await shown(page, "They are one fact now.");
  await page.getByRole("button", { name: "Undo" }).click();
  await shown(page, "They are two facts.");
  await page.goto(`${service.address}/review`);
  await page.getByRole("button", { name: "Dismiss for good" }).click();
  await shown(page, "It is dismissed, for good.");
  await visitor.look("nothing to review");
}

async function many(visitor, service) {
  const { page } = visitor;
  await page.goto(`${service.address}/memory`);
  await page.getByText("With those that are ticked").click();
  await page.getByLabel("All of this page").check();
  assert.equal(await page.locator("input[name=fact]:not(:checked)").count(), 0);
  await page.getByLabel("All of this page").uncheck();
  for (const text of ["old phone number", "Ana is allergic"]) await page.locator(".fact", { hasText: text }).getByRole("checkbox").check();
  await visitor.look("many");
  await page.getByLabel("Why, for forgetting").fill("No longer needed.");
  await page.getByRole("button", { name: "Forget them" }).click();
  await shown(page, "2 forgotten.");
}

async function keyboard(visitor, service) {
  const { page } = visitor;
  await page.goto(`${service.address}/memory`);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the content");
  await page.keyboard.press("Enter");
  await page.keyboard.press("/");
  assert.notEqual(await page.evaluate(() => document.activeElement.id), "q", "shortcuts are off at first");
  await page.getByRole("button", { name: /Single-letter shortcuts/ }).click();
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => document.activeElement.id), "q");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("f");
  await page.getByRole("heading", { name: "Forgotten" }).waitFor();
  await visitor.look("shortcuts");
  await page.getByRole("button", { name: /Single-letter shortcuts/ }).click();
}

async function readers(visitor, service, { reader, facts }) {
  const { page } = visitor;
  await page.getByRole("button", { name: "Sign out" }).click();
  await signIn(visitor, service, reader);
  assert.equal(await page.getByRole("link", { name: "Conflicts" }).count(), 0);
  await page.goto(`${service.address}/memory/${facts.meeting}`);
  assert.equal(await page.getByRole("button", { name: "Forget" }).count(), 0);
  await visitor.look("a fact, for a reader");
  await page.goto(`${service.address}/review`);
  await shown(page, "Not with this key");
  await visitor.look("not permitted");
}

// Older memories: what is safe at once, the others one by one, and all of it taken back.
async function adoption(visitor, service) {
  const { page } = visitor;
  await page.goto(`${service.address}/adoption`);
  await shown(page, "Nothing was brought in");
  await visitor.look("nothing to adopt");
  service.adopt(OLDER, "user:ana");
  await page.goto(`${service.address}/adoption`);
  await shown(page, "11 waiting for a review");
  await visitor.look("adoption");
  await page.getByRole("button", { name: "Begin a review" }).click();
  await shown(page, "11 left");
  await visitor.look("a review");
  await page.getByRole("link", { name: "See what would become current" }).click();
  await shown(page, "Ana plays chess on Thursdays.");
  await gone(page, "The port is 8001.");
  await visitor.look("what is safe");
  await page.getByRole("button", { name: "Approve all of these" }).click();
  await shown(page, "approved.");
  await visitor.look("a review, begun");
  await page.getByRole("link", { name: "What it comes to" }).click();
  await shown(page, "Not decided yet");
  await visitor.look("a review that is not decided");
  await page.getByRole("link", { name: /May contradict/ }).click();
  await visitor.look("a group");
  const port = page.locator(".fact", { hasText: "The port is 8002." });
  await port.getByRole("radio", { name: "Approve", exact: true }).check();
  await summary(port, "Other words or times").click();
  await port.getByLabel("What it is to say instead").fill("The port of the staging service is 8002.");
  await page.locator(".fact", { hasText: "The port is 8001." }).getByRole("radio", { name: "Reject", exact: true }).check();
  await page.getByLabel("A note").fill("8001 was the old one.");
  await visitor.look("a group, decided");
  await page.getByRole("button", { name: "Save and go on" }).click();
  await shown(page, "Saved: 1 approved, 1 rejected");
  while (await page.getByRole("button", { name: "Save and go on" }).count()) {
    for (const one of await page.locator(".facts > .fact").all()) await one.getByRole("radio", { name: "Reject", exact: true }).check();
    await page.getByRole("button", { name: "Save and go on" }).click();
    await page.locator(".flash").waitFor();
    await visitor.look("the next group");
  }
  await shown(page, "0 left");
  await visitor.look("what a review comes to");
  await page.getByRole("button", { name: "Seal it" }).click();
  await shown(page, "Nothing is applied yet.");
  await visitor.look("a sealed review");
  await page.getByLabel("I looked at what follows").check();
  await page.getByRole("button", { name: "Apply it" }).click();
  await shown(page, "It is applied:");
  await visitor.look("an adoption");
  await summary(page, "Take it back").click();
  await page.getByLabel("I mean it").check();
  await visitor.look("an adoption to be taken back");
  await page.getByRole("button", { name: "Take it back" }).click();
  await shown(page, "It is taken back.");
  await visitor.look("an adoption that was taken back");
}

// What who runs the service sees.
async function operators(visitor, service) {
  const { page } = visitor;
  await page.goto(`${service.address}/memory`);
  await page.getByRole("button", { name: "Sign out" }).click();
  await signIn(visitor, service, service.operator);
  await page.getByRole("link", { name: "Status" }).click();
  await shown(page, "memory ledger check");
  await visitor.look("status");
  await summary(page, "As a table").click();
  await visitor.look("status, as a table");
  await page.getByRole("link", { name: "Search sync" }).first().click();
  await page.getByRole("button", { name: "Check search index" }).click();
  await shown(page, "The search index agrees with the memory.");
  await visitor.look("search sync, as it should be");
}

// A copy that failed: seen, and tried once more.
export async function failedSync(visitor, service, told) {
  const { page } = visitor;
  await signIn(visitor, service, told.ana);
  for (let seconds = 0; seconds < 40; seconds += 1) {
    await page.goto(`${service.address}/sync`);
    if (await page.getByRole("button", { name: "Retry all" }).count()) break;
    await new Promise((waited) => setTimeout(waited, 1_000));
  }
  await shown(page, "embedder-refused");
  await visitor.look("search sync, failed");
  told.fussy.takesAll = !visitor.script;
  await page.getByRole("button", { name: /^Retry [0-9a-f]/ }).first().click();
  await shown(page, visitor.script ? "1 failed again" : "all in the search index now");
  await visitor.look("search sync, tried again");
}

export async function withoutScript(visitor, service, { ana }) {
  const { page } = visitor;
  await signIn(visitor, service, ana);
  await visitor.look("memory");
  await page.goto(`${service.address}/conflicts`);
  await page.getByRole("link", { name: "Begin with the first" }).click();
  await page.getByLabel("A note with your decision").fill("Settled without a script.");
  await visitor.look("a conflict");
  await page.getByRole("button", { name: "Keep version 2" }).click();
  await shown(page, "Kept version 2.");
  await shown(page, "1 of 2");
  await page.goto(`${service.address}/forgotten`);
  await visitor.look("forgotten");
  await page.locator(".fact", { hasText: "old phone number" }).getByRole("button", { name: "Restore" }).click();
  await shown(page, "It is back, current from now.");
}

// What the README shows: a name, how it is looked at, and where.
export function pictures({ facts, conflict }) {
  const wide = { width: 1280, height: 800, colorScheme: "light" };
  return [
    ["page-memory", wide, "/memory"],
    ["page-conflict", wide, `/conflicts/${conflict}`],
    ["page-history", { ...wide, colorScheme: "dark" }, `/memory/${facts.meeting}`],
    ["page-narrow", { width: 390, height: 800, colorScheme: "dark" }, `/conflicts/${conflict}`],
  ];
}
