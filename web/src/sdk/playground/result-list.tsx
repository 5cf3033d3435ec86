import { SegmentedControl, Text, UnstyledButton } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { ProjectName } from '../../project-name.tsx';
import { numberText, plural } from '../../ui/format.ts';
import { PageLink } from '../../ui/link.tsx';
import { contextWords } from './contexts.ts';
import classes from './playground.module.css';
import { countViews, type Decisions, type ResultRow, rowsOf } from './results.ts';
import type { OpenDecision, View } from './search.ts';
import { Outcome, outcomeText } from './verdict.tsx';

interface Props {
  readonly decisions: Decisions;
  readonly environments: readonly string[];
  readonly show: View | undefined;
  readonly onShow: (show: View | undefined) => void;
  readonly why: OpenDecision | undefined;
  readonly onWhy: (why: OpenDecision) => void;
  /** Whether newer results are being loaded. */
  readonly isOld: boolean;
}

interface RowProps extends Pick<Props, 'environments' | 'onWhy' | 'why'> {
  readonly row: ResultRow;
  /** What the context is; none where there is only one. */
  readonly label: string | undefined;
}

function Row({ row, label, environments, why, onWhy }: RowProps) {
  const { feature, context, isFirst } = row;
  const { name, projectId } = feature;
  // With one environment there is room for the reason.
  const sentence =
    environments.length === 1
      ? feature.environments[environments[0] ?? '']?.[context]?.explanation
      : undefined;
  return (
    <>
      {isFirst && label !== undefined && (
        <div className={classes.featureRow}>
          <FeatureName name={name} project={projectId} />
        </div>
      )}
      <div className={classes.row} data-of-feature={label !== undefined || undefined}>
        <div className={classes.what}>
          {label === undefined ? (
            <FeatureName name={name} project={projectId} />
          ) : (
            <Text size="sm" className={classes.context ?? ''} title={label}>
              <b className="tabular">{context + 1}</b> {label}
            </Text>
          )}
        </div>
        {environments.map((environment) => {
          const decision = feature.environments[environment]?.[context];
          const isOpen =
            why?.feature === name && why.environment === environment && why.context === context;
          if (!decision) {
            return (
              <div key={environment} className={classes.none}>
                <span className={classes.environment}>{environment}</span>{' '}
                <Text size="xs" className="quiet">
                  Not in project
                </Text>
              </div>
            );
          }
          return (
            <UnstyledButton
              key={environment}
              className={classes.decision ?? ''}
              data-open={isOpen || undefined}
              aria-haspopup="dialog"
              aria-label={`${name}${label === undefined ? '' : ` for ${label}`} in ${environment}: ${outcomeText(decision)}. Show reasons`}
              title={decision.explanation}
              onClick={() => onWhy({ project: projectId, feature: name, environment, context })}
            >
              <span className={classes.environment}>{environment}</span>{' '}
              <Outcome decision={decision} />
            </UnstyledButton>
          );
        })}
        {sentence !== undefined && (
          <Text size="sm" className={`quiet ${classes.sentence}`} title={sentence}>
            {sentence}
          </Text>
        )}
      </div>
    </>
  );
}

interface NameProps {
  readonly name: string;
  readonly project: string;
}

const FeatureName = ({ name, project }: NameProps) => (
  <Text component="div" size="sm" className={classes.name ?? ''}>
    <PageLink
      to="/projects/$projectId/features/$featureName"
      params={{ projectId: project, featureName: name }}
      fw={600}
      inherit
    >
      {name}
    </PageLink>{' '}
    <span className="quiet">
      <ProjectName id={project} />
    </span>
  </Text>
);

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName));

/** j and k go through the decisions; Enter opens the one that has the focus. */
function useKeys(list: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      const step = { j: 1, k: -1 }[key];
      if (step === undefined || ctrlKey || metaKey || altKey || isTyping(target)) return;
      if (document.querySelector('[role=dialog][aria-modal=true]')) return;
      const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-index]') ?? [])];
      const here = rows.findIndex((row) => row.contains(document.activeElement));
      const next = rows[here < 0 ? 0 : here + step];
      next?.querySelector<HTMLElement>('button')?.focus();
      next?.scrollIntoView({ block: 'nearest' });
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [list]);
}

/** Features by contexts and environments. Only the rows in sight are in the document. */
export function Results(props: Props) {
  const { decisions, environments, show, onShow, why, onWhy, isOld } = props;
  const { features, contexts } = decisions;
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const rect = list.current?.getBoundingClientRect();
    if (rect) setTop(rect.top + window.scrollY);
  });
  useKeys(list);
  const rows = rowsOf(decisions, show);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => 42,
    overscan: 10,
    scrollMargin: top,
  });
  const counts = countViews(features);
  const hasContexts = contexts.length > 1;
  const total = features.length * environments.length * contexts.length;
  return (
    <div
      className={classes.results}
      data-old={isOld || undefined}
      style={{ '--environments': environments.length } as React.CSSProperties}
      data-has-sentence={environments.length === 1 || undefined}
    >
      <div className={classes.bar}>
        <Text size="sm" className="quiet tabular" role="status">
          {plural(features.length, 'feature')}, {plural(total, 'evaluation')}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label="Filter results"
          value={show ?? 'all'}
          onChange={(view) => onShow(view === 'all' ? undefined : (view as View))}
          data={[
            { value: 'all', label: 'All' },
            { value: 'on', label: `Enabled ${numberText(counts.on)}` },
            { value: 'off', label: `Disabled ${numberText(counts.off)}` },
            { value: 'differ', label: `Mixed ${numberText(counts.differ)}` },
          ]}
        />
      </div>
      <div className={`card ${classes.frame}`} data-wide={environments.length > 3 || undefined}>
        <div className={classes.head} aria-hidden>
          <div className={classes.what}>{hasContexts ? 'Context' : 'Feature'}</div>
          {environments.map((environment) => (
            <div key={environment} className={classes.headCell}>
              {environment}
            </div>
          ))}
          {environments.length === 1 && <div className={classes.sentence}>Reason</div>}
        </div>
        <div ref={list} className={classes.rows} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const row = rows[index] as ResultRow;
            return (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className={classes.item}
                style={{ transform: `translateY(${start - top}px)` }}
              >
                <Row
                  row={row}
                  label={
                    hasContexts ? contextWords(contexts[row.context]?.values ?? {}) : undefined
                  }
                  environments={environments}
                  why={why}
                  onWhy={onWhy}
                />
              </div>
            );
          })}
        </div>
        {rows.length === 0 && (
          <Text size="sm" className="quiet" p="md">
            No matching features. Select All to see every result.
          </Text>
        )}
      </div>
    </div>
  );
}
