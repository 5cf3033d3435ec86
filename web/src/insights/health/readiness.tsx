import { Alert, Anchor, Drawer, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import {
  IconArchive,
  IconCheck,
  IconCircleCheck,
  IconQuestionMark,
  IconX,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useRef, useState } from 'react';
import { featureQuery } from '../../flags/feature/feature-query.ts';
import { useRefusal } from '../../me.ts';
import { read } from '../../queries.ts';
import { sinceText } from '../../ui/dates.ts';
import { plural } from '../../ui/format.ts';
import { GuardedButton } from '../../ui/guarded.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { PageLink } from '../../ui/link.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { refreshHealth } from './actions.ts';
import { codeAddressOf } from './code-address.ts';
import classes from './health.module.css';
import { conclusionOf, cutText, progressOf, readinessOf, type Step } from './readiness.ts';

const BulkDialog = lazyPart(() => import('../../flags/bulk/bulk-dialog.tsx'), 'BulkDialog');
const CompleteDialog = lazyPart(() => import('./judge-dialog.tsx'), 'CompleteDialog');

interface Props {
  readonly projectId: string;
  readonly featureName: string;
  readonly onClose: () => void;
}

const placesShown = 50;

const signs = {
  done: { icon: IconCheck, color: 'teal', words: 'Done' },
  open: { icon: IconX, color: 'yellow', words: 'To do' },
  unknown: { icon: IconQuestionMark, color: 'gray', words: 'Unknown' },
} as const;

interface StepProps {
  readonly step: Step;
  /** What to do about it. */
  readonly children: ReactNode;
}

const StepRow = ({ step: { state, title, evidence }, children }: StepProps) => {
  const { icon: Icon, color, words } = signs[state];
  return (
    <li className={classes.step}>
      <ThemeIcon size={22} radius="xl" variant="light" color={color} role="img" aria-label={words}>
        <Icon size={14} aria-hidden />
      </ThemeIcon>
      <div>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="sm" className="quiet">
          {evidence}
        </Text>
        {children}
      </div>
    </li>
  );
};

function useReadiness({ projectId, featureName }: Omit<Props, 'onClose'>) {
  const feature = useQuery(featureQuery({ projectId, featureName }));
  const code = useQuery(
    read('GET /api/admin/projects/:projectId/code-references', {
      params: { projectId },
      query: { feature: featureName, limit: String(placesShown) },
    }),
  );
  const usage = useQuery(
    read('GET /api/admin/client-metrics/features/:featureName', { params: { featureName } }),
  );
  const error = feature.error ?? code.error ?? usage.error;
  if (error) return { error };
  if (!feature.data || !code.data || !usage.data) return {};
  const now = new Date();
  const steps = readinessOf({
    feature: feature.data,
    applications: usage.data.seenApplications,
    code: code.data,
    now,
    since: (instant) => sinceText(instant, now),
  });
  return { feature: feature.data, code: code.data, steps };
}

/** The steps of a removal: what is done, what is left, and the references in code. */
export function Readiness({ projectId, featureName, onClose }: Props) {
  const { error, feature, code, steps } = useReadiness({ projectId, featureName });
  const [question, setQuestion] = useState<'complete' | 'archive'>();
  const mayNotChange = useRefusal('UPDATE_FEATURE', { project: projectId });
  const mayNotArchive = useRefusal('DELETE_FEATURE', { project: projectId });
  const isReady = steps?.every(({ state }) => state !== 'open');
  const commits = new Map(code?.scans.map((scan) => [scan.repository, scan.commit]));
  const close = () => setQuestion(undefined);
  const references = useRef<HTMLElement>(null);
  const toFeature = (name: string, words: string, tab?: 'usage') => (
    <PageLink
      to="/projects/$projectId/features/$featureName"
      params={{ projectId, featureName: name }}
      {...(tab && { search: { tab } })}
      size="sm"
    >
      {words}
    </PageLink>
  );
  const actions: Readonly<Record<Step['id'], ReactNode>> = {
    decided: (
      <GuardedButton
        refusal={mayNotChange}
        variant="default"
        size="xs"
        mt={4}
        leftSection={<IconCircleCheck size={16} aria-hidden />}
        onClick={() => setQuestion('complete')}
      >
        Mark as completed…
      </GuardedButton>
    ),
    same: toFeature(featureName, 'View strategies'),
    unasked: toFeature(featureName, 'View usage', 'usage'),
    code: (
      <Anchor
        component="button"
        type="button"
        size="sm"
        onClick={() => references.current?.scrollIntoView()}
      >
        View references
      </Anchor>
    ),
    // A dependency is between features of one project.
    alone:
      feature?.children[0] !== undefined && toFeature(feature.children[0], 'Remove dependency'),
  };
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      position="right"
      size="md"
      transitionProps={{ duration: 100 }}
    >
      <Drawer.Overlay />
      <Drawer.Content>
        <Drawer.Body>
          <Group justify="space-between" wrap="nowrap" py="md">
            <Drawer.Title fw={600} className={classes.findingText ?? ''}>
              Remove {featureName}
            </Drawer.Title>
            <Drawer.CloseButton aria-label="Close" />
          </Group>
          {error && <Problem error={error} />}
          {!error && !steps && <Waiting />}
          {steps && feature && code && (
            <Stack>
              {feature.archived ? (
                <Alert color="gray">Already archived</Alert>
              ) : (
                <Alert color={isReady ? 'teal' : 'yellow'} role="status">
                  {progressOf(steps)} · {conclusionOf(steps)}
                </Alert>
              )}
              <ul className={classes.steps}>
                {steps.map((step) => (
                  <StepRow key={step.id} step={step}>
                    {step.state === 'open' && !feature.archived && actions[step.id]}
                  </StepRow>
                ))}
              </ul>
              {code.references.length > 0 && (
                <section aria-label="Code references" ref={references}>
                  <Title order={3} size="h5" mb={4}>
                    {plural(code.total, 'code reference')}
                  </Title>
                  <ul className={classes.places}>
                    {code.references.map(({ repository, path, line }) => {
                      const address = codeAddressOf({
                        repository,
                        commit: commits.get(repository) ?? null,
                        path,
                        line,
                      });
                      const place = `${path}:${line}`;
                      return (
                        <li key={`${repository} ${place}`}>
                          <Text size="xs" className="quiet" component="span">
                            {repository}{' '}
                          </Text>
                          {address === undefined ? (
                            <Text size="xs" ff="monospace" component="span">
                              {place}
                            </Text>
                          ) : (
                            <Anchor
                              href={address}
                              target="_blank"
                              rel="noreferrer"
                              size="xs"
                              ff="monospace"
                            >
                              {place}
                            </Anchor>
                          )}
                        </li>
                      );
                    })}
                  </ul>
                  {cutText(code.references.length, code.total) !== undefined && (
                    <Text size="xs" className="quiet" mt={4}>
                      {cutText(code.references.length, code.total)}
                    </Text>
                  )}
                </section>
              )}
              <Group gap="xs">
                {!feature.archived && (
                  <GuardedButton
                    refusal={mayNotArchive}
                    {...(!isReady && { variant: 'default' })}
                    leftSection={<IconArchive size={16} aria-hidden />}
                    onClick={() => setQuestion('archive')}
                  >
                    Archive…
                  </GuardedButton>
                )}
                <PageLink
                  to="/projects/$projectId/features/$featureName"
                  params={{ projectId, featureName }}
                  size="sm"
                >
                  View feature
                </PageLink>
              </Group>
            </Stack>
          )}
          <Suspense>
            {question === 'complete' && (
              <CompleteDialog projectId={projectId} names={[featureName]} onClose={close} />
            )}
            {question === 'archive' && (
              <BulkDialog
                action="archive"
                names={[featureName]}
                onGone={() => {
                  void refreshHealth();
                  onClose();
                }}
                onClose={close}
              />
            )}
          </Suspense>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
