#!/usr/bin/env node
// Verifies an NDJSON export of Burgee's event log. Needs only Node and none of Burgee's code: it
// recomputes every hash from the content of the file (see docs/proof.md).
//
// The file may be `-` for standard input, and its lines may be in either order. --partial is for an
// export of a search: gaps between ids are expected, and only lines and neighbours are checked.
// --retention-days is the number of days that you keep events, if older ones are removed.
// Exit code 0: the log is intact; 1: a problem was found; 2: something could not be compared; 3: nothing
// was verified, because an argument or a file is wrong.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const usage =
  'node verify-events.mjs EXPORT.ndjson [--checkpoint FILE] [--public-key FILE] [--retention-days N] [--partial]';

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256'));
const hex = (hash) => hash.digest('hex');

/** RFC 8785: keys sorted by UTF-16 code units, no whitespace. */
function canonical(value) {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  let text = '';
  for (const key of Object.keys(value).sort()) {
    text += `${text && ','}${JSON.stringify(key)}:${canonical(value[key])}`;
  }
  return `{${text}}`;
}

const pick = (object, wanted) =>
  object && Object.fromEntries(Object.entries(object).filter(([key]) => wanted(key)));

/** A seal of 16 bytes is the salt of a commitment; a longer one is the commitment to an erased person. */
const isErased = (seal) => seal.length !== 32;
const commit = (seal, personal) =>
  isErased(seal) ? seal : hex(sha256(Buffer.from(seal, 'hex'), canonical(personal)));

function contentHash(event) {
  const { requestId, actorSeal, subjectKeys, subjectSeal } = event.proof;
  const isPersonal = (key) => subjectKeys?.includes(key) ?? false;
  const open = (object) => (subjectKeys ? pick(object, (key) => !isPersonal(key)) : object);
  const personal = { data: pick(event.data, isPersonal), preData: pick(event.preData, isPersonal) };
  const { type, createdAt, createdByUserId, project, environment, featureName, tags } = event;
  const content = {
    ...{ type, createdAt, createdByUserId, requestId, project, environment, featureName, tags },
    data: open(event.data),
    preData: open(event.preData),
    actor: commit(actorSeal, { createdBy: event.createdBy, ip: event.ip }),
    subjectKeys,
    subject: subjectKeys && subjectSeal ? commit(subjectSeal, personal) : null,
  };
  return hex(sha256(canonical(content)));
}

const isSignedBy = (key, text, signature) =>
  verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));

const linkHash = (id, previous, content) =>
  hex(sha256(`burgee-event-1\n${id}\n${previous}\n${content}`));

const genesis = '0'.repeat(64);

/** A problem that ends the program with exit code 1. Any other error ends it with 3. */
class Fault extends Error {}

function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch ({ code }) {
    throw new Error(`Couldn't read ${file} (${code})`);
  }
}

/** The keys of a line. Label and summary are not hashed; someone must have added any other key. */
const eventKeys = [
  ...['id', 'createdAt', 'type', 'createdBy', 'createdByUserId', 'environment', 'project'],
  ...['featureName', 'data', 'preData', 'tags', 'label', 'summary', 'ip', 'hash', 'proof'],
];
const proofKeys = ['previous', 'requestId', 'actorSeal', 'subjectKeys', 'subjectSeal'];
const unknownIn = ({ proof, ...event }) => [
  ...Object.keys(event).filter((key) => !eventKeys.includes(key)),
  ...Object.keys(proof).filter((key) => !proofKeys.includes(key)),
];

const isText = (value) => typeof value === 'string';
const isObjectOrNull = (value) => typeof value === 'object' && !Array.isArray(value);

function parseLine(line, number) {
  let event;
  try {
    event = JSON.parse(line);
  } catch {
    throw new Fault(`Line ${number} is not JSON`);
  }
  const proof = event?.proof;
  const isWhole =
    Number.isSafeInteger(event?.id) &&
    [event.hash, event.createdAt, proof?.previous, proof?.actorSeal].every(isText) &&
    (proof.subjectKeys === null || Array.isArray(proof.subjectKeys)) &&
    (proof.subjectSeal === null || isText(proof.subjectSeal));
  if (!isWhole) throw new Fault(`Line ${number} is not an event with its proof`);
  // Other JSON text can have the same hash: of a duplicate key, some readers take the first value.
  try {
    const isSpelled = JSON.stringify(event) === line.replace(/\r$/, '');
    return { ...event, content: contentHash(event), isSpelled, unknown: unknownIn(event) };
  } catch {
    throw new Fault(`Line ${number} is nested more deeply than any event`);
  }
}

/** Does not use readline: newer versions also end a line at U+2028, which JSON does not escape. */
async function* readLines(file) {
  const input = file === '-' ? process.stdin : createReadStream(file);
  let rest = '';
  for await (const chunk of input.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    yield* lines;
  }
  yield rest;
}

async function* readEvents(file) {
  let number = 0;
  for await (const line of readLines(file)) {
    number += 1;
    if (line.trim() !== '') yield parseLine(line, number);
  }
}

const fault = (kind, id, message) => ({ kind, id, message: `Event ${id} ${message}` });

/** Checks a line without its neighbours. */
function faultOfLine({ id, hash, content, isSpelled, data, preData, createdBy, ip, proof }) {
  const { previous, actorSeal, subjectKeys, subjectSeal } = proof;
  const altered = (why) => fault('altered', id, `was altered: ${why}`);
  if (hash !== linkHash(id, previous, content)) {
    return { ...altered('its content does not match its hash'), isBreak: true };
  }
  if (!isSpelled) return altered('its line is not formatted as Burgee writes it');
  const isPlain = isObjectOrNull(data) && isObjectOrNull(preData);
  if (subjectKeys && !isPlain) return altered('its data is not an object');
  if (isErased(actorSeal) && (createdBy !== '[erased]' || ip !== null)) {
    return altered('its author was erased, but it contains a name or an IP address');
  }
  if ((subjectKeys === null) !== (subjectSeal === null)) {
    return altered('it has only one of subjectKeys and subjectSeal');
  }
  const remains = (key) => Object.hasOwn(data ?? {}, key) || Object.hasOwn(preData ?? {}, key);
  if (subjectSeal && isErased(subjectSeal) && subjectKeys.some(remains)) {
    return altered('the user it is about was erased, but it contains values of that user');
  }
  return undefined;
}

/** Checks two neighbours, the one with the lower id first. */
function faultOfPair(lower, upper, isPartial) {
  if (upper.id > lower.id + 1) {
    return isPartial ? undefined : fault('removed', lower.id + 1, 'was removed');
  }
  return upper.proof.previous === lower.hash
    ? undefined
    : fault('altered', upper.id, `was altered: it does not link to event ${lower.id}`);
}

const isOf = ({ type, data }, setting) => type === 'setting-updated' && data?.id === setting;
const isRemoval = (event) => isOf(event, 'events.retention');

/** Whether the removal that an event records is signed; undefined if it cannot be checked. */
function isSigned({ data }, keys) {
  const { signature, ...statement } = data;
  const key = keys.get(statement.keyId);
  if (!key || !isText(signature)) return undefined;
  return isSignedBy(key, `burgee-anchor-1\n${canonical(statement)}`, signature);
}

/** What a removal says about those before it that another key signed, or no one. */
const earlierOf = ({ data: { earlier = [], removedThrough } }) =>
  Array.isArray(earlier) ? earlier : [{ through: removedThrough }];

const dayMs = 24 * 60 * 60 * 1000;

function faultOfRemoval(event, keys) {
  const { id, createdAt, data } = event;
  if (isSigned(event, keys) === false) {
    return fault('anchor', id, 'records a removal of events, but its signature is wrong');
  }
  const isOld = Date.parse(createdAt) - Date.parse(data.removedUntil) > data.days * dayMs;
  if (!isText(data.signature) || isOld) return undefined;
  return fault('anchor', id, `records the removal of events younger than ${data.days} days`);
}

/** A log begins with event 1, or after the last event that retention removed. */
function faultOfBeginning({ first: { id, proof }, retention }) {
  const { removedThrough = 0, hash = genesis } = retention?.data ?? {};
  if (removedThrough === id - 1 && hash === proof.previous) return undefined;
  return id > removedThrough + 1
    ? fault('removed', removedThrough + 1, 'was removed')
    : fault('anchor', id, 'begins the log, but no event records the removal of earlier ones');
}

function faultOfErasures({ erased, erasures }) {
  for (const [person, from] of erased) {
    const recorded = erasures.get(person);
    if (recorded?.last > from.last) continue;
    const id = recorded ? from.last : from.first;
    return fault(
      'erasure',
      id,
      `no longer names user ${person}, but no later event records the erasure`,
    );
  }
  return undefined;
}

const widen = (map, key, id) => {
  const { first = id, last = id } = map.get(key) ?? {};
  map.set(key, { first: Math.min(first, id), last: Math.max(last, id) });
};

/** Notes the erasures, removals and signing keys that the log records. */
function note(state, event) {
  const { id, type, data, preData, createdByUserId, proof } = event;
  for (const key of event.unknown) state.unknown.add(key);
  if (isErased(proof.actorSeal)) widen(state.erased, String(createdByUserId), id);
  if (proof.subjectSeal && isErased(proof.subjectSeal)) {
    const person = data?.userId ?? data?.id ?? preData?.userId ?? preData?.id;
    widen(state.erased, String(person), id);
  }
  if (type === 'user-updated' && data?.erased === true) widen(state.erasures, String(data.id), id);
  if (isRemoval(event) && !(state.retention?.id > id)) state.retention = event;
  if (isRemoval(event) || isOf(event, 'events.signing-key')) {
    const keyIds = Array.isArray(data.keyIds) ? data.keyIds : undefined;
    state.keyEvents.push({ id, keyId: isRemoval(event) ? undefined : data.keyId, keyIds });
  }
  if (!state.first || id < state.first.id) state.first = event;
  if (!state.last || id > state.last.id) state.last = event;
}

/** Compares an event with the checkpoint. */
function compare({ lastId, hash }, event, keys, compared) {
  const differs = () =>
    fault('altered', lastId, 'or an earlier one was altered: its hash differs from the checkpoint');
  // An event also contains the hash of the previous one, which may not be in the file.
  for (const one of [
    { id: event.id, hash: event.hash },
    { id: event.id - 1, hash: event.proof.previous },
  ]) {
    if (one.id !== lastId) continue;
    compared();
    if (one.hash !== hash) return differs();
  }
  if (!isRemoval(event) || event.data.removedThrough !== lastId) return undefined;
  if (isSigned(event, keys)) compared();
  return event.data.hash === hash ? undefined : differs();
}

/** Reads the file once. If there are several faults, the one with the lowest id counts. */
async function walk(file, { isPartial, checkpoint, keys }) {
  const state = { count: 0, erased: new Map(), erasures: new Map(), keyEvents: [] };
  state.unknown = new Set();
  const found = (next) => {
    const current = state.fault;
    // An event that seemed to be removed may come later in the file.
    const isBetter = next?.id === current?.id && current?.kind === 'removed';
    if (next && (!current || next.id < current.id || isBetter)) state.fault = next;
  };
  let before;
  for await (const event of readEvents(file)) {
    state.count += 1;
    if (before) {
      const isRising = event.id > before.id;
      state.isRising ??= isRising;
      if (event.id === before.id) found(fault('inserted', event.id, 'is in the file twice'));
      else if (isRising !== state.isRising) {
        found(fault('reordered', event.id, `was reordered: it comes after event ${before.id}`));
      } else {
        const [lower, upper] = isRising ? [before, event] : [event, before];
        found(faultOfPair(lower, upper, isPartial));
      }
    }
    const own = faultOfLine(event);
    found(own && { ...own, event });
    if (isRemoval(event)) found(faultOfRemoval(event, keys));
    if (checkpoint) found(compare(checkpoint, event, keys, () => (state.isCompared = true)));
    note(state, event);
    before = { id: event.id, hash: event.hash, proof: { previous: event.proof.previous } };
  }
  const isWhole = state.first && !isPartial;
  // Without its beginning, the first line of a log does not match either.
  if (isWhole && (state.fault?.id ?? state.first.id) === state.first.id) {
    found(faultOfBeginning(state));
  }
  if (isWhole && !state.fault) found(faultOfErasures(state));
  const missing = (state.last?.id ?? 0) + 1;
  if (checkpoint && !isPartial && checkpoint.lastId >= missing) {
    found(fault('removed', missing, 'was removed: the checkpoint covers it'));
  }
  return state;
}

/** A moved row keeps its hash, and the hash shows which id the row had. */
async function diagnose(file, broken) {
  const { id, event } = broken;
  const { hash, content, proof } = event;
  const stood = (place, previous) => linkHash(place, previous, content) === hash;
  let holder;
  let origin;
  let isMovedUp = false;
  for await (const other of readEvents(file)) {
    if (other.id === id) continue;
    if (other.hash === hash) {
      return fault('inserted', id, `was inserted: it has the hash of event ${other.id}`);
    }
    if (other.id < id) {
      if (!stood(other.id, other.proof.previous)) continue;
      return fault('inserted', other.id, `was inserted: event ${id} originally had this id`);
    }
    const here = linkHash(id, proof.previous, other.content);
    origin ??= [other.id, other.id + 1].find((place) => stood(place, other.hash));
    if (here === hash) origin ??= other.id;
    if (here === other.hash) holder = other.id;
    for (let shift = 1; other.id === id + 1 && shift <= 1000; shift += 1) {
      isMovedUp ||= linkHash(other.id + shift, hash, other.content) === other.hash;
    }
  }
  if (origin) return fault('reordered', id, `was reordered: its content once had id ${origin}`);
  if (holder) return fault('inserted', id, `was inserted: event ${holder} originally had this id`);
  return isMovedUp ? fault('removed', id, 'was removed, and the later ones were moved up') : broken;
}

/** Reads public keys by id: from PEM, or from JSON, which has line feeds escaped. */
function keysIn(text, place) {
  const keys = new Map();
  const pems =
    text.replaceAll('\\n', '\n').match(/-----BEGIN PUBLIC KEY-[\s\S]*?-END .*?-----/g) ?? [];
  for (const pem of pems) {
    try {
      const key = createPublicKey(pem);
      const raw = key.export({ type: 'spki', format: 'der' }).subarray(-32);
      if (key.asymmetricKeyType === 'ed25519') keys.set(hex(sha256(raw)).slice(0, 16), key);
    } catch {
      // Not a key: the others count.
    }
  }
  if (keys.size === 0) throw new Error(`${place} does not contain an Ed25519 public key`);
  return keys;
}

/** The signed text. The first format did not cover where the log began, or where the key was. */
function checkpointText({ format, lastId, hash, createdAt, anchorId, anchorHash, keyIn }) {
  return format === undefined
    ? `burgee-checkpoint-1\n${lastId}\n${hash}\n${createdAt}`
    : [format, lastId, hash, createdAt, anchorId, anchorHash, keyIn].join('\n');
}

function parseCheckpoint(file) {
  const wrong = new Error(`${file} does not contain a checkpoint`);
  const text = readText(file);
  let checkpoint;
  try {
    checkpoint = JSON.parse(text);
  } catch {
    throw wrong;
  }
  const { format, lastId, hash, createdAt, keyId, publicKey, signature } = checkpoint ?? {};
  const isWhole = [hash, createdAt, keyId, publicKey, signature].every(isText);
  if (!isWhole || !Number.isInteger(lastId)) throw wrong;
  if (format === 'burgee-checkpoint-2') return checkpoint;
  if (format !== undefined) throw new Error(`${file} is a checkpoint of a newer Burgee: ${format}`);
  return { lastId, hash, createdAt, keyId, publicKey, signature };
}

function readCheckpoint(file, keyFile) {
  const checkpoint = parseCheckpoint(file);
  const { keyId, publicKey, signature } = checkpoint;
  const keys = keyFile ? keysIn(readText(keyFile), keyFile) : keysIn(publicKey, file);
  const key = keys.get(keyId);
  const place = keyFile ?? 'the checkpoint itself';
  if (!key) throw new Fault(`The key ${keyId}, which signed the checkpoint, is not in ${place}`);
  const isSigned = isSignedBy(key, checkpointText(checkpoint), signature);
  if (!isSigned) throw new Fault('The signature of the checkpoint is wrong');
  const note = `Note: the key ${keyId} is from the checkpoint itself; --public-key proves who signed\n`;
  if (!keyFile) process.stderr.write(note);
  return { checkpoint, keys };
}

/** The first event that records a key. The first list of a shortened log also contains older keys. */
function keySince({ first, keyEvents }, wanted) {
  const cut = first ? first.id - 1 : 0;
  let hasList = false;
  for (const { id, keyId, keyIds } of keyEvents.sort((one, other) => one.id - other.id)) {
    if (keyIds?.includes(wanted)) return hasList || cut === 0 || keyId === wanted ? id : cut;
    if (keyId === wanted) return id;
    hasList ||= keyIds !== undefined;
  }
  return undefined;
}

/**
 * Why the removal of events that a checkpoint covers is doubtful. With a key in the database, whoever can write to the
 * database can sign one. So what the checkpoint covers must be old enough, by its own date.
 */
function doubtOfCoverage({ first, retention, isCompared }, { checkpoint, keys, days }) {
  const { lastId, createdAt, anchorId, keyIn, keyId } = checkpoint;
  const from = (anchorId ?? 0) + 1;
  const through = Math.min((first?.id ?? 1) - 1, lastId);
  const isCovered = anchorId === undefined && isCompared && lastId >= first?.id;
  if (through < from || (isCovered && retention?.id <= lastId)) return undefined;
  const doubt = (why) =>
    `The checkpoint covers the events ${from} to ${through}, which are gone: ${why}`;
  if (!retention || !isSigned(retention, keys)) return doubt('no valid signature confirms it');
  if (days === undefined)
    return doubt('pass --retention-days, the number of days that you keep events');
  const earlier = earlierOf(retention).filter((each) => !(each?.through < from));
  const isByOneKey = [retention.data, ...earlier].every((each) => each?.keyId === keyId);
  if (keyIn === 'file' && isByOneKey) return undefined;
  return Date.now() - Date.parse(createdAt) > days * dayMs
    ? undefined
    : doubt(`it is younger than ${days} days, and the key of the removal may be in the database`);
}

/** What could not be compared. */
function doubtsOf(state, given) {
  const { checkpoint, keys, isPartial, hasKeyFile, days } = given;
  const doubts = [];
  if (state.count === 0) doubts.push('There were no events to verify');
  if (state.unknown.size > 0) {
    doubts.push(`No hash covers the keys ${[...state.unknown].join(', ')}`);
  }
  if (checkpoint && !state.isCompared) {
    doubts.push('The checkpoint cannot be compared: its event is not in the file');
  }
  const { keyId, lastId } = checkpoint ?? {};
  if (checkpoint && !hasKeyFile && !isPartial && !(keySince(state, keyId) <= lastId)) {
    doubts.push(`No event up to the checkpoint records its key ${keyId}: pass --public-key`);
  }
  const { retention } = state;
  if (checkpoint && !isPartial) doubts.push(doubtOfCoverage(state, given) ?? []);
  if (!retention || isPartial) return doubts.flat();
  const statement = `Event ${retention.id} records that retention removed the earlier events`;
  if (retention.data.days < days) doubts.push(`${statement} after ${retention.data.days} days`);
  const isUnknown = ({ through, keyId }) =>
    !(through <= checkpoint?.anchorId) && (!isText(keyId) || (keys.size > 0 && !keys.has(keyId)));
  if (earlierOf(retention).some((each) => isUnknown(each ?? {}))) {
    doubts.push(`${statement}, but other keys signed earlier removals, or nobody did`);
  }
  if (isSigned(retention, keys)) return doubts.flat();
  const why = retention.data.keyId
    ? `signed with the key ${retention.data.keyId}: pass it with --public-key`
    : 'without a signature: anyone with write access to the database could have written it';
  return [...doubts.flat(), `${statement}, ${why}`];
}

async function main() {
  const file = { type: 'string' };
  const options = { checkpoint: file, 'public-key': file, 'retention-days': file };
  options.partial = { type: 'boolean' };
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const [log] = positionals;
  const days =
    values['retention-days'] === undefined ? undefined : Number(values['retention-days']);
  if (!log || positionals.length > 1 || Number.isNaN(days)) throw new Error(usage);
  const keyFile = values['public-key'];
  const { checkpoint, keys } = values.checkpoint
    ? readCheckpoint(values.checkpoint, keyFile)
    : { keys: keyFile ? keysIn(readText(keyFile), keyFile) : new Map() };
  const given = { checkpoint, keys, days, isPartial: values.partial, hasKeyFile: Boolean(keyFile) };
  const state = await walk(log, given);
  if (state.fault) {
    const isClear = !state.fault.isBreak || values.partial || log === '-';
    const { message } = isClear ? state.fault : await diagnose(log, state.fault);
    throw new Fault(message);
  }
  const { count, first, last } = state;
  const range = first ? `${first.id} to ${last.id}, hash ${last.hash}` : 'the file is empty';
  process.stdout.write(`${count} events verified, ${range}\n`);
  const doubts = doubtsOf(state, given);
  if (doubts.length === 0) return;
  process.stderr.write(`${doubts.join('\n')}\n`);
  process.exitCode = 2;
}

await main().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error instanceof Fault ? 1 : 3;
});
