import {
  Alert,
  Badge,
  Button,
  Checkbox,
  Group,
  List,
  Modal,
  Select,
  Skeleton,
  Stack,
  Table,
  Text,
  TextInput,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError, api, Proposed, type Response } from '../../api.ts';
import { useRefusal } from '../../me.ts';
import { useProjectName } from '../../project-name.tsx';
import { queryClient, read } from '../../queries.ts';
import { ErrorId } from '../../ui/error-id.tsx';
import { numberText, plural } from '../../ui/format.ts';
import { GuardedButton } from '../../ui/guarded.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { nameProblem } from '../create/feature-name.ts';
import classes from '../list/feature-list.module.css';
import { copyNames, environmentRows, faultsByCopy, partsOf } from './clone-plan.ts';

type Copy = Response<'POST /api/admin/projects/:projectId/features/clone'>['features'][number];

interface Original {
  readonly name: string;
  readonly project: string;
}

interface CloneRequest {
  readonly project: string;
  readonly copies: readonly { readonly feature: string; readonly name: string }[];
  readonly replaceGroupId: boolean;
}

const clone = (
  { project, copies, replaceGroupId }: CloneRequest,
  dryRun: 'true' | 'false',
  signal?: AbortSignal,
) =>
  api('POST /api/admin/projects/:projectId/features/clone', {
    params: { projectId: project },
    query: { dryRun },
    body: { features: [...copies], replaceGroupId },
    signal,
  });

/** The server clones in a dry run, so the preview is what the click will do. */
function usePreview(request: CloneRequest, isSent: boolean) {
  const [settled] = useDebouncedValue(request, 200);
  const isComplete =
    settled.copies.length > 0 &&
    settled.copies.every(({ name }) => name !== '' && nameProblem(name) === undefined);
  const preview = useQuery({
    queryKey: ['POST /api/admin/projects/:projectId/features/clone', settled],
    queryFn: ({ signal }) => clone(settled, 'true', signal),
    // The names are taken by the copies themselves then.
    enabled: isComplete && !isSent,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
  // Not disabled while the same preview is read again, as after every change elsewhere: a click would be lost.
  const isSettled =
    settled === request && isComplete && preview.isSuccess && !preview.isPlaceholderData;
  return { preview, isSettled };
}

/** What is copied, and what isn't, with the reason. */
function CopySummary({ copy, original }: { readonly copy: Copy; readonly original: string }) {
  const { notCopied = [] } = copy;
  const rows = environmentRows(copy);
  return (
    <li>
      <Text size="sm">
        {original} → <b>{copy.name}</b>
      </Text>
      <Text size="sm" className="quiet">
        {partsOf(copy)}
      </Text>
      {rows.length > 0 && (
        <Table verticalSpacing={2} horizontalSpacing="xs" w="auto" fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Environment</Table.Th>
              <Table.Th ta="right">Strategies</Table.Th>
              <Table.Th ta="right">Variants</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ name, strategies, variants }) => (
              <Table.Tr key={name}>
                <Table.Td>{name}</Table.Td>
                <Table.Td ta="right">{numberText(strategies)}</Table.Td>
                <Table.Td ta="right">{numberText(variants)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {notCopied.length > 0 && (
        <>
          <Badge
            size="sm"
            variant="light"
            color="yellow"
            tt="none"
            mt={6}
            className={classes.attention}
          >
            Not copied
          </Badge>
          <List size="sm" mt={4} aria-label={`Not copied to ${copy.name}`}>
            {notCopied.map(({ what, why }) => (
              <List.Item key={what}>
                <b>{what}</b> · {why}
              </List.Item>
            ))}
          </List>
        </>
      )}
    </li>
  );
}

interface Props {
  readonly features: readonly Original[];
  readonly onClose: () => void;
}

/** Clones features into this project or another one. It says before what is copied, and what isn't. */
export function CloneDialog({ features, onClose }: Props) {
  const navigate = useNavigate();
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects ?? [];
  const projectName = useProjectName();
  const [first] = features;
  const [project, setProject] = useState(first?.project ?? '');
  const isSingle = features.length === 1;
  const [text, setText] = useState(isSingle ? `${first?.name}-copy` : '{name}-copy');
  const [replaceGroupId, setReplaceGroupId] = useState(true);
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const originals = features.filter(({ name }) => !leftOut.has(name)).map(({ name }) => name);
  const [requestKey, request] = requestOf({ project, originals, text, replaceGroupId });
  const [stable, setStable] = useState({ requestKey, request });
  // The same request stays the same value, so that it can be compared after a pause in typing.
  if (stable.requestKey !== requestKey) setStable({ requestKey, request });
  const refusal = useRefusal('CREATE_FEATURE', { project });
  const cloning = useMutation({
    mutationFn: () => clone(stable.request, 'false'),
    onSuccess: async ({ features: copies }) => {
      await queryClient.invalidateQueries({
        predicate: ({ queryKey: [operation] }) =>
          /^GET .*(feature|project)/.test(String(operation)),
      });
      const [copy] = copies;
      tellDone({
        id: 'clone',
        title:
          copies.length === 1
            ? `${copy?.name} created in ${projectName(project)}, disabled in every environment`
            : `${plural(copies.length, 'feature')} cloned to ${projectName(project)}, disabled in every environment`,
      });
      onClose();
      if (copies.length === 1 && copy) {
        await navigate({
          to: '/projects/$projectId/features/$featureName',
          params: { projectId: project, featureName: copy.name },
        });
      }
    },
    onError: (error) => {
      if (error instanceof Proposed) onClose();
    },
  });
  const isSent = cloning.isPending || cloning.isSuccess;
  const { preview, isSettled } = usePreview(stable.request, isSent);
  const problem = cloning.error ?? preview.error;
  const wrongNames = new Map(
    stable.request.copies.flatMap(({ feature, name }) => {
      const why = nameProblem(name);
      return why === undefined ? [] : [[feature, why] as const];
    }),
  );
  const faults: ReadonlyMap<string, string> =
    wrongNames.size === 0 && problem instanceof ApiError
      ? faultsByCopy(problem, stable.request.copies)
      : wrongNames;
  const isNameFault = isSingle && faults.size > 0;
  const copies = preview.error || wrongNames.size > 0 ? [] : (preview.data?.features ?? []);
  const behind = copies.reduce((sum, { notCopied = [] }) => sum + notCopied.length, 0);
  return (
    <Modal
      opened
      onClose={onClose}
      title={isSingle ? `Clone ${first?.name}` : `Clone ${plural(features.length, 'feature')}`}
      size="lg"
      centered
      transitionProps={{ duration: 100 }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isSettled && refusal === undefined) cloning.mutate();
        }}
      >
        <Stack>
          <Select
            label="Target project"
            searchable
            allowDeselect={false}
            data={projects.map(({ id, name }) => ({ value: id, label: name }))}
            value={project}
            onChange={(id) => id !== null && setProject(id)}
          />
          <TextInput
            label={isSingle ? 'New name' : 'Name pattern'}
            description={
              isSingle
                ? 'Must be unique across all projects, including archived features'
                : '{name} is replaced with the original name'
            }
            data-autofocus
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value.trim())}
            error={isNameFault ? [...faults.values()][0] : undefined}
          />
          <Checkbox
            label="Use the new name as group ID"
            description="Rollouts then reach different users than the original. Turn off to reach the same users."
            checked={replaceGroupId}
            onChange={({ currentTarget }) => setReplaceGroupId(currentTarget.checked)}
          />
          {problem && !isNameFault && faults.size === 0 && (
            <Alert color="red" role="alert">
              {problem.message}
              {problem instanceof ApiError && problem.id !== undefined && (
                <ErrorId id={problem.id} />
              )}
            </Alert>
          )}
          {!isSingle && faults.size > 0 && (
            <div role="alert">
              <Text size="sm" fw={600} mb={4}>
                Fix or exclude these features to continue
              </Text>
              <ul className={`card ${classes.outcomes}`} aria-label="Features with errors">
                {[...faults].map(([name, why]) => (
                  <li key={name}>
                    <Group justify="space-between" wrap="nowrap">
                      <div>
                        <Text size="sm" fw={600}>
                          {name}
                        </Text>
                        <Text size="sm" className="quiet">
                          {why}
                        </Text>
                      </div>
                      <Button
                        size="compact-xs"
                        variant="default"
                        aria-label={`Exclude ${name}`}
                        onClick={() => setLeftOut(new Set([...leftOut, name]))}
                      >
                        Exclude
                      </Button>
                    </Group>
                  </li>
                ))}
              </ul>
            </div>
          )}
          {preview.isLoading && <Skeleton height={48} />}
          {copies.length > 0 && (
            <div role="status">
              <Text size="sm" fw={600} mb={4}>
                {behind === 0
                  ? 'Everything will be copied. Clones start disabled in every environment.'
                  : `${plural(behind, 'item')} won't be copied. Clones start disabled in every environment.`}
              </Text>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by the keyboard too */}
              <ul className={`card ${classes.outcomes}`} tabIndex={0} aria-label="Preview">
                {copies.map((copy, index) => (
                  <CopySummary key={copy.name} copy={copy} original={originals[index] ?? ''} />
                ))}
              </ul>
            </div>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <GuardedButton
              refusal={refusal}
              type="submit"
              loading={cloning.isPending}
              disabled={!isSettled}
            >
              {isSingle ? 'Clone feature' : `Clone ${plural(originals.length, 'feature')}`}
            </GuardedButton>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function requestOf({
  project,
  originals,
  text,
  replaceGroupId,
}: {
  readonly project: string;
  readonly originals: readonly string[];
  readonly text: string;
  readonly replaceGroupId: boolean;
}): [string, CloneRequest] {
  const request = { project, copies: copyNames(originals, text), replaceGroupId };
  return [JSON.stringify(request), request];
}
