import { unprintable } from '../../../../platform/unprintable.ts';
import type { EvaluationScope } from '../../snapshot/index.ts';
import { maxCount, maxVariants } from '../bounds.ts';
import { maxName } from './contract.ts';

interface Counts {
  yes: number;
  no: number;
  /** Undefined: no variants were reported. */
  variants: Map<string, number> | undefined;
  /** When it was last evaluated. */
  seenMs: number;
}

/** The sender of a report. */
export interface Source {
  readonly scope: EvaluationScope;
  readonly appName: string;
  /** Whether the token is public, as frontend tokens are. Then anyone may have invented the report. */
  readonly isPublic: boolean;
}

/** What one application evaluated in one hour, with the scope of its token. */
export interface UsageReport extends Source {
  readonly hourMs: number;
  readonly features: ReadonlyMap<string, Counts>;
}

/** A registration or sign of life of an SDK instance. Null: the SDK did not send the value. */
export interface InstanceReport extends Source {
  readonly instanceId: string;
  readonly sdkVersion: string | null;
  readonly sdkType: string | null;
  readonly specVersion: string | null;
  readonly strategies: readonly string[] | null;
  readonly ip: string | null;
  /** When it arrived. */
  readonly seenMs: number;
}

/** Reports that are stored in one transaction. */
export interface Batch {
  /** The id that its sender gave it, so that it is counted once. Undefined for reports of several senders. */
  readonly id?: string;
  readonly reports: readonly UsageReport[];
  readonly instances: readonly InstanceReport[];
  readonly size: number;
}

interface ReportedCounts {
  readonly yes?: number | null | undefined;
  readonly no?: number | null | undefined;
  readonly variants?: Readonly<Record<string, number>> | null | undefined;
}

type ReportKey = Omit<UsageReport, 'features'>;

export interface Buffer {
  /** The number of waiting counts, variants and instances. A long registration counts as several. */
  readonly size: () => number;
  /** Adds counts up to an instant. */
  readonly count: (
    where: ReportKey,
    feature: string,
    counted: ReportedCounts,
    seenMs: number,
  ) => void;
  readonly addInstanceReport: (report: InstanceReport) => void;
  /**
   * Removes and returns all waiting reports, in batches of at most `most`. The counts of one feature stay together.
   */
  readonly takeAll: (most: number) => Batch[];
  /** The same, for callers that do not want to make all batches at once. All reports are removed at once, though. */
  readonly takeInTurn: (most: number) => Iterable<Batch>;
  /** Returns the same without removing it. Contains what waits now, and perhaps what arrives meanwhile. */
  readonly listInTurn: (most: number) => Iterable<Batch>;
}

const textOf = ({ scope: { environment, projects }, isPublic }: Source): string =>
  `${environment}\n${projects === 'all' ? '*' : projects.join(' ')}\n${isPublic}`;

/**
 * SDKs send whatever an application has configured, and a refused report would be lost. So characters that no name may
 * have are replaced by a visible one. It is in no name of a feature either, so nothing is counted for the wrong feature.
 */
const readable = (text: string): string => text.replace(unprintable, '\ufffd');

const readableOrNull = (text: string | null): string | null => text && readable(text);

const isName = (name: string) => name !== '' && name.length <= maxName;

/** Some SDKs report every feature they know, evaluated or not. */
const wasEvaluated = ({ yes, no, variants }: ReportedCounts): boolean =>
  Boolean(yes || no || (variants && Object.values(variants).some((times) => times > 0)));

export const addCapped = (counted: number, more: number): number =>
  Math.min(counted + more, maxCount);

const sizeOf = ({ variants }: Counts): number => 1 + (variants?.size ?? 0);

/** A count takes about as much memory. Few registrations are longer, but one may have 130,000 characters. */
const charactersOfCount = 500;
/** What a text takes besides its characters. */
const extraCharacters = 16;

function sizeOfInstance(report: InstanceReport): number {
  const { appName, instanceId, sdkVersion, sdkType, specVersion, strategies } = report;
  const texts = [appName, instanceId, sdkVersion, sdkType, specVersion, ...(strategies ?? [])];
  const characters = texts.reduce((sum, text) => sum + (text?.length ?? 0) + extraCharacters, 0);
  return Math.ceil(characters / charactersOfCount);
}

type Reports = ReadonlyMap<string, UsageReport>;
type Instances = ReadonlyMap<string, InstanceReport>;

interface Part {
  readonly reports: (UsageReport & { readonly features: Map<string, Counts> })[];
  readonly instances: InstanceReport[];
  size: number;
}

/** Splits reports into parts. Each is filled before the next starts. */
function* partsOf(reports: Reports, instances: Instances, most: number): Generator<Batch> {
  let part: Part = { reports: [], instances: [], size: 0 };
  const isFull = (more: number) => part.size > 0 && part.size + more > most;
  for (const report of instances.values()) {
    const size = sizeOfInstance(report);
    if (isFull(size)) {
      yield part;
      part = { reports: [], instances: [], size: 0 };
    }
    part.instances.push(report);
    part.size += size;
  }
  for (const { features, ...where } of reports.values()) {
    let into: Map<string, Counts> | undefined;
    for (const [feature, counts] of features) {
      const size = sizeOf(counts);
      if (isFull(size)) {
        yield part;
        part = { reports: [], instances: [], size: 0 };
        into = undefined;
      }
      if (!into) {
        into = new Map();
        part.reports.push({ ...where, features: into });
      }
      into.set(feature, counts);
      part.size += size;
    }
  }
  if (part.size > 0) yield part;
}

/** Aggregates the reports of SDKs in memory. A request costs a few map entries. */
export function createBuffer(): Buffer {
  // Names of environments and projects contain neither blanks nor line breaks, so keys are unambiguous.
  let reports = new Map<string, UsageReport & { readonly features: Map<string, Counts> }>();
  let instances = new Map<string, InstanceReport>();
  let size = 0;

  function reportOf(where: ReportKey) {
    const appName = readable(where.appName);
    const key = `${textOf(where)}\n${where.hourMs}\n${appName}`;
    const found = reports.get(key);
    if (found) return found;
    const fresh = { ...where, appName, features: new Map<string, Counts>() };
    reports.set(key, fresh);
    return fresh;
  }

  function countVariants(into: Counts, variants: Readonly<Record<string, number>>): void {
    for (const [sent, times] of Object.entries(variants)) {
      const variant = readable(sent);
      if (times === 0 || !isName(variant)) continue;
      into.variants ??= new Map();
      const existing = into.variants.get(variant);
      if (existing === undefined) {
        if (into.variants.size >= maxVariants) continue;
        size += 1;
      }
      into.variants.set(variant, addCapped(existing ?? 0, times));
    }
  }

  function takeInTurn(most: number): Iterable<Batch> {
    const parts = partsOf(reports, instances, most);
    reports = new Map();
    instances = new Map();
    size = 0;
    return parts;
  }

  return {
    size: () => size,

    count(where, sent, counted, seenMs) {
      const feature = readable(sent);
      if (!wasEvaluated(counted) || !isName(feature)) return;
      const { features } = reportOf(where);
      let into = features.get(feature);
      if (!into) {
        into = { yes: 0, no: 0, variants: undefined, seenMs };
        features.set(feature, into);
        size += 1;
      }
      into.yes = addCapped(into.yes, counted.yes ?? 0);
      into.no = addCapped(into.no, counted.no ?? 0);
      into.seenMs = Math.max(into.seenMs, seenMs);
      if (counted.variants) countVariants(into, counted.variants);
    },

    addInstanceReport(sent) {
      const report: InstanceReport = {
        ...sent,
        appName: readable(sent.appName),
        instanceId: readable(sent.instanceId),
        sdkVersion: readableOrNull(sent.sdkVersion),
        sdkType: readableOrNull(sent.sdkType),
        specVersion: readableOrNull(sent.specVersion),
        strategies: sent.strategies?.map(readable) ?? null,
      };
      const { appName, instanceId } = report;
      const key = `${textOf(report)}\n${appName.length}\n${appName}${instanceId}`;
      const existing = instances.get(key);
      // Metrics contain less than a registration and must not overwrite it.
      const isKept = existing && report.sdkVersion === null && report.strategies === null;
      const { seenMs } = report;
      instances.set(key, isKept ? { ...existing, seenMs } : report);
      if (!isKept) size += sizeOfInstance(report) - (existing ? sizeOfInstance(existing) : 0);
    },

    takeAll: (most) => [...takeInTurn(most)],
    takeInTurn,
    listInTurn: (most) => partsOf(reports, instances, most),
  };
}
