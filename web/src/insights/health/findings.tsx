import {
  ActionBar,
  ActionIcon,
  Badge,
  Button,
  Checkbox,
  Chip,
  Group,
  Menu,
  Switch,
  Text,
} from '@mantine/core';
import {
  IconArchive,
  IconCircleCheck,
  IconClipboardCheck,
  IconDots,
  IconHourglass,
  IconShieldCheck,
} from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { detailOf } from '../../../../src/modules/insights/health/status/detail.ts';
import { api, type Response } from '../../api.ts';
import type { BulkAction } from '../../flags/bulk/bulk-wording.ts';
import { typeName } from '../../flags/feature-words.ts';
import { useSelection } from '../../flags/list/selection.ts';
import { OwnerName } from '../../flags/owner.tsx';
import { useRefusal } from '../../me.ts';
import { Actor } from '../../ui/actor.tsx';
import { shortDay } from '../../ui/dates.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { numberText } from '../../ui/format.ts';
import { GuardedButton } from '../../ui/guarded.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { PageLink } from '../../ui/link.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { tellDone, tellProblem } from '../../ui/notices.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { WithCode } from '../../ui/with-code.tsx';
import { useDirectory } from '../../use-directory.ts';
import { refreshHealth, unkeep } from './actions.ts';
import classes from './health.module.css';
import { withAuthorName } from './reason-author.ts';
import { type Reason, reasons } from './search.ts';

const BulkDialog = lazyPart(() => import('../../flags/bulk/bulk-dialog.tsx'), 'BulkDialog');
const SnoozeDialog = lazyPart(() => import('./judge-dialog.tsx'), 'SnoozeDialog');
const CompleteDialog = lazyPart(() => import('./judge-dialog.tsx'), 'CompleteDialog');

const route = getRouteApi('/shell/projects/$projectId/health');

type Findings = Response<'GET /api/admin/projects/:projectId/status/findings'>;
type Finding = Findings['features'][number];

const words: Readonly<Record<Reason, string>> = {
  markedStale: 'Stale',
  lifetimeOver: 'Past expected lifetime',
  expired: 'Past expiry date',
  notSeen: 'Not evaluated',
  fullyOn: 'Fully rolled out',
  completedButCalled: 'Completed, still evaluated',
  archivedButCalled: 'Archived, still evaluated',
  notInCode: 'Not found in code',
};

/** What a reason means, and whether it lowers the score. */
const meanings: Readonly<Record<Reason, string>> = {
  markedStale: 'Marked as stale by a user or automatically. Lowers the health score.',
  lifetimeOver: 'Past the expected lifetime of their type. Lowers the health score.',
  expired: 'Their expiry date has passed. The health score stays the same.',
  notSeen: 'Not evaluated by any application in the last 30 days. Their code may already be gone.',
  fullyOn:
    'Enabled for everyone in production for 30 days. The check in the code is no longer needed.',
  completedButCalled: 'Completed, but applications still evaluate them.',
  archivedButCalled: 'Archived, but applications still evaluate them and get false.',
  notInCode: 'No references found in scanned code.',
};

const pageSize = 20;

async function markStale(projectId: string, feature: string, stale: boolean): Promise<void> {
  const mark = async (value: boolean) => {
    await api('POST /api/admin/projects/:projectId/stale', {
      params: { projectId },
      body: { features: [feature], stale: value },
    });
    await refreshHealth();
  };
  try {
    await mark(stale);
    tellDone({
      id: `finding ${feature}`,
      title: `${feature} marked as ${stale ? 'stale' : 'active'}`,
      undo: () => mark(!stale),
    });
  } catch (error) {
    tellProblem(`update ${feature}`, error as Error);
  }
}

/** What is done with one or many features in a dialog. */
type Question = 'keep' | 'complete' | Extract<BulkAction, 'mark-stale' | 'archive'>;

interface OpenQuestion {
  readonly question: Question;
  readonly names: readonly string[];
}

interface QuestionProps extends OpenQuestion {
  readonly projectId: string;
  readonly onGone: (names: readonly string[]) => void;
  readonly onClose: () => void;
}

function QuestionDialog({ question, names, projectId, onGone, onClose }: QuestionProps) {
  const props = { projectId, names, onDone: onGone, onClose };
  if (question === 'keep') return <SnoozeDialog {...props} />;
  if (question === 'complete') return <CompleteDialog {...props} />;
  return <BulkDialog action={question} names={names} onGone={onGone} onClose={onClose} />;
}

const questions = [
  { question: 'mark-stale', label: 'Mark as stale…', icon: IconHourglass },
  { question: 'keep', label: 'Snooze…', icon: IconShieldCheck },
  { question: 'complete', label: 'Mark as completed…', icon: IconCircleCheck },
  { question: 'archive', label: 'Archive…', icon: IconArchive },
] as const;

function SnoozeNote({ review }: { readonly review: NonNullable<Finding['review']> }) {
  const { snoozedUntil, reviewedBy, reason } = review;
  return (
    <Text size="sm" className={classes.reason}>
      <b>
        {snoozedUntil === undefined
          ? 'Marked as permanent'
          : `Snoozed until ${shortDay(snoozedUntil)}`}
      </b>{' '}
      by <Actor name={reviewedBy} />: {reason}
    </Text>
  );
}

interface RowProps {
  readonly finding: Finding;
  readonly projectId: string;
  readonly isSelected: boolean;
  readonly onSelect: (isSelected: boolean) => void;
  readonly onAsk: (question: Question) => void;
}

function FindingRow({ finding, projectId, isSelected, onSelect, onAsk }: RowProps) {
  const { feature, stale, archivedAt, review, type } = finding;
  const mayNotChange = useRefusal('UPDATE_FEATURE', { project: projectId });
  const mayNotArchive = useRefusal('DELETE_FEATURE', { project: projectId });
  const navigate = route.useNavigate();
  const isArchived = archivedAt !== undefined;
  const directory = useDirectory();
  const toAsk = questions.filter(({ question }) => question !== 'mark-stale');
  return (
    <li className={classes.finding}>
      <Checkbox
        aria-label={`Select ${feature}`}
        className={classes.select}
        checked={isSelected}
        disabled={isArchived}
        onChange={({ currentTarget }) => onSelect(currentTarget.checked)}
      />
      <div className={classes.findingText}>
        <Group gap={8}>
          <PageLink
            to="/projects/$projectId/features/$featureName"
            params={{ projectId, featureName: feature }}
            fw={600}
            size="sm"
          >
            {feature}
          </PageLink>
          <Badge size="sm" variant="light" color="gray" tt="none">
            {typeName(type)}
          </Badge>
          {stale && (
            <Badge size="sm" variant="light" color="yellow" tt="none">
              Stale
            </Badge>
          )}
          {isArchived && (
            <Badge size="sm" variant="light" color="red" tt="none">
              Archived
            </Badge>
          )}
        </Group>
        {finding.reasons.map((each) => (
          <Text key={each.reason} size="sm" className={classes.reason}>
            <b>{words[each.reason]}</b> ·{' '}
            {detailOf(withAuthorName(each, directory), (at = 0) => shortDay(new Date(at)))}
          </Text>
        ))}
        {finding.owner && (
          <Text size="sm" className={classes.reason}>
            Owner: <OwnerName owner={finding.owner} />
          </Text>
        )}
        {review && <SnoozeNote review={review} />}
      </div>
      <Group gap={4} wrap="nowrap" className={classes.findingActions}>
        {!isArchived && (
          <>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconClipboardCheck size={15} aria-hidden />}
              aria-label={`Check removal of ${feature}`}
              onClick={() =>
                void navigate({
                  search: (before) => ({ ...before, check: feature }),
                  resetScroll: false,
                })
              }
            >
              Check removal
            </Button>
            <MenuButton
              position="bottom-end"
              button={
                <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${feature}`}>
                  <IconDots size={16} aria-hidden />
                </ActionIcon>
              }
            >
              <Menu.Item
                disabled={mayNotChange !== undefined}
                leftSection={<IconHourglass size={15} aria-hidden />}
                onClick={() => void markStale(projectId, feature, !stale)}
              >
                {stale ? 'Mark as active' : 'Mark as stale'}
              </Menu.Item>
              {review && (
                <Menu.Item
                  disabled={mayNotChange !== undefined}
                  leftSection={<IconShieldCheck size={15} aria-hidden />}
                  onClick={() => void unkeep(projectId, [feature])}
                >
                  {review.snoozedUntil === undefined ? 'Unmark as permanent' : 'Unsnooze'}
                </Menu.Item>
              )}
              {toAsk.map(({ question, label, icon: Icon }) => (
                <Menu.Item
                  key={question}
                  disabled={(question === 'archive' ? mayNotArchive : mayNotChange) !== undefined}
                  leftSection={<Icon size={15} aria-hidden />}
                  onClick={() => onAsk(question)}
                >
                  {label}
                </Menu.Item>
              ))}
              {(mayNotChange ?? mayNotArchive) !== undefined && (
                <Menu.Label maw={240}>
                  <WithCode text={mayNotChange ?? mayNotArchive ?? ''} />
                </Menu.Label>
              )}
            </MenuButton>
          </>
        )}
      </Group>
    </li>
  );
}

/** The most that the server sends at once. */
const mostAtOnce = 1000;

interface Listed {
  readonly reason?: Reason | undefined;
  readonly kept?: boolean | undefined;
}

const readFindings = (
  projectId: string,
  { reason, kept }: Listed,
  page: { readonly limit: number; readonly offset: number; readonly signal?: AbortSignal },
) =>
  api('GET /api/admin/projects/:projectId/status/findings', {
    params: { projectId },
    query: {
      limit: String(page.limit),
      offset: String(page.offset),
      ...(reason && { reason }),
      ...(kept && { includeSnoozed: 'true' }),
    },
    signal: page.signal,
  });

/** Everything that matches, also what isn't shown yet. */
async function readAllFindings(projectId: string, listed: Listed): Promise<Finding[]> {
  const found: Finding[] = [];
  for (;;) {
    const { features, total } = await readFindings(projectId, listed, {
      limit: mostAtOnce,
      offset: found.length,
    });
    found.push(...features);
    if (features.length === 0 || found.length >= total) return found;
  }
}

const isSelectable = ({ archivedAt }: Finding) => archivedAt === undefined;

function useFindings(projectId: string) {
  const { reason, kept } = route.useSearch();
  return useInfiniteQuery({
    queryKey: ['GET /api/admin/projects/:projectId/status/findings', projectId, reason, kept],
    queryFn: ({ pageParam, signal }) =>
      readFindings(projectId, { reason, kept }, { limit: pageSize, offset: pageParam, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ total }: Findings, pages: readonly Findings[]) => {
      const shown = pages.reduce((sum, { features }) => sum + features.length, 0);
      return shown < total ? shown : undefined;
    },
    placeholderData: keepPreviousData,
  });
}

/** Features to clean up, with the reasons and what can be done with one or many. */
export function ProjectFindings({ projectId }: { readonly projectId: string }) {
  const { reason, kept } = route.useSearch();
  const navigate = route.useNavigate();
  const found = useFindings(projectId);
  const selection = useSelection(`${projectId} ${reason} ${kept}`);
  const [asked, setAsked] = useState<OpenQuestion>();
  const mayNotChange = useRefusal('UPDATE_FEATURE', { project: projectId });
  const mayNotArchive = useRefusal('DELETE_FEATURE', { project: projectId });
  if (found.isPending) return <Waiting />;
  if (found.isError) return <Problem error={found.error} />;
  const first = found.data.pages[0];
  const counts = first?.countByReason;
  const features = found.data.pages.flatMap((page) => page.features);
  const present = reasons.filter((each) => (counts?.[each] ?? 0) > 0 || each === reason);
  const snoozed = first?.snoozedCount ?? 0;
  const selectable = features.filter(isSelectable);
  const select = (which: readonly Finding[], isSelected: boolean) =>
    selection.set(
      which.map(({ feature }) => ({ name: feature, project: projectId })),
      isSelected,
    );
  const names = [...selection.selected.keys()];
  const isAll =
    selectable.length > 0 &&
    selectable.every(({ feature }) => selection.selected.has(feature)) &&
    (!found.hasNextPage || names.length > selectable.length);
  const selectAll = async () => {
    const all = found.hasNextPage ? await readAllFindings(projectId, { reason, kept }) : features;
    select(all.filter(isSelectable), true);
  };
  const keptSwitch = (snoozed > 0 || kept) && (
    <Switch
      size="xs"
      label={kept ? 'Show snoozed' : `Show snoozed (${numberText(snoozed)})`}
      checked={kept === true}
      onChange={({ currentTarget }) =>
        void navigate({
          search: ({ kept: _, ...before }) => ({
            ...before,
            ...(currentTarget.checked && { kept: true as const }),
          }),
          replace: true,
          resetScroll: false,
        })
      }
    />
  );
  if (present.length === 0) {
    return (
      <EmptyState title="Nothing to clean up">
        Features appear here when they're stale, past their expected lifetime, no longer evaluated,
        or fully rolled out for a while.
        {keptSwitch && (
          <Group justify="center" mt="sm">
            {keptSwitch}
          </Group>
        )}
      </EmptyState>
    );
  }
  return (
    <div className="card">
      <Group justify="space-between" p="sm" gap="sm">
        <Chip.Group
          value={reason ?? ''}
          onChange={(value) =>
            void navigate({
              search: ({ reason: _, ...before }) => ({
                ...before,
                ...(value !== '' && { reason: value as Reason }),
              }),
              replace: true,
              resetScroll: false,
            })
          }
        >
          <Group gap={6} role="group" aria-label="Reason">
            <Chip size="xs" value="" variant="outline">
              All
            </Chip>
            {present.map((each) => (
              <Chip key={each} size="xs" value={each} variant="outline">
                {words[each]} {numberText(counts?.[each] ?? 0)}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        {keptSwitch}
      </Group>
      <Group className={classes.listHead} gap="sm" wrap="nowrap">
        <Checkbox
          aria-label="Select all"
          checked={isAll}
          indeterminate={names.length > 0 && !isAll}
          onChange={() => {
            if (isAll) selection.clear();
            else selectAll().catch((error: Error) => tellProblem('update the selection', error));
          }}
        />
        <Text size="xs" className="quiet">
          {reason === undefined
            ? 'Oldest first. Only stale and potentially stale features lower the score; other reasons are hints.'
            : meanings[reason]}
        </Text>
      </Group>
      <ul className={classes.findings}>
        {features.map((finding) => (
          <FindingRow
            key={finding.feature}
            finding={finding}
            projectId={projectId}
            isSelected={selection.selected.has(finding.feature)}
            onSelect={(isSelected) => select([finding], isSelected)}
            onAsk={(question) => setAsked({ question, names: [finding.feature] })}
          />
        ))}
      </ul>
      {found.hasNextPage && (
        <Group justify="center" p="sm">
          <Button
            variant="default"
            size="xs"
            loading={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage()}
          >
            Load more
          </Button>
        </Group>
      )}
      <ActionBar
        opened={names.length > 0}
        aria-label="Bulk actions"
        transitionProps={{ duration: 100 }}
        className="save-bar"
      >
        <Text size="sm" role="status" className="tabular">
          <b>{numberText(names.length)}</b> selected
        </Text>
        {questions.map(({ question, label, icon: Icon }) => (
          <GuardedButton
            key={question}
            refusal={question === 'archive' ? mayNotArchive : mayNotChange}
            size="xs"
            variant="default"
            leftSection={<Icon size={15} aria-hidden />}
            onClick={() => setAsked({ question, names })}
          >
            {label}
          </GuardedButton>
        ))}
        <Button size="xs" variant="subtle" color="gray.4" onClick={selection.clear}>
          Clear selection
        </Button>
      </ActionBar>
      {names.length > 0 && <div className="below-bar" />}
      <Suspense>
        {asked && (
          <QuestionDialog
            {...asked}
            projectId={projectId}
            onGone={(gone) => {
              selection.set(
                gone.map((name) => ({ name, project: projectId })),
                false,
              );
              void refreshHealth();
            }}
            onClose={() => setAsked(undefined)}
          />
        )}
      </Suspense>
    </div>
  );
}
