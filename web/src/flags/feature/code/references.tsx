import { Anchor, Code, Group, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { instanceUrl } from '../../../access/tokens/instance-url.ts';
import { codeReferencesScript } from '../../../access/tokens/snippets/admin-snippets.ts';
import { codeAddressOf } from '../../../insights/health/code-address.ts';
import { read } from '../../../queries.ts';
import { CopyIcon } from '../../../ui/copy-button.tsx';
import classes from '../../../ui/copyable.module.css';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { numberText, plural } from '../../../ui/format.ts';
import { PageLink } from '../../../ui/link.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Section } from '../../../ui/section.tsx';
import { Since } from '../../../ui/time.tsx';
import { Waiting } from '../../../ui/waiting.tsx';
import { useFeatureView } from '../view.ts';

/** A script for CI. */
function Upload() {
  const { project } = useFeatureView();
  const script = codeReferencesScript(instanceUrl(), project);
  return (
    <Stack gap="xs" ta="left">
      <Text size="sm">
        Run this in your repository, for example in CI, with a token that can update features.
      </Text>
      <div className={classes.snippet}>
        <Code block tabIndex={0}>
          {script}
        </Code>
        <CopyIcon text={script} label="Copy script" />
      </div>
    </Stack>
  );
}

/** Where the code names the feature. */
export const References = () => (
  <Section title="References">
    <Found />
  </Section>
);

function Found() {
  const { feature, project } = useFeatureView();
  const found = useQuery(
    read('GET /api/admin/projects/:projectId/code-references', {
      params: { projectId: project },
      query: { feature: feature.name, limit: '1000' },
    }),
  );
  if (found.isPending) return <Waiting />;
  if (found.isError) return <Problem error={found.error} />;
  const { references, scans, total } = found.data;
  const commits = new Map(scans.map((scan) => [scan.repository, scan]));
  if (references.length === 0) {
    return scans.length === 0 ? (
      <EmptyState title="No code references yet">
        <Upload />
      </EmptyState>
    ) : (
      <EmptyState title="No code references found">
        {plural(scans.length, 'repository', 'repositories')} scanned. If no application evaluates
        this feature either, it's safe to archive.
      </EmptyState>
    );
  }
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm" className="quiet tabular">
          {plural(total, 'reference')}
          {total > references.length && ` · showing the first ${numberText(references.length)}`}
        </Text>
        {!feature.archived && (
          <PageLink
            to="/projects/$projectId/health"
            params={{ projectId: project }}
            search={{ check: feature.name }}
            size="sm"
          >
            Check if it's safe to remove
          </PageLink>
        )}
      </Group>
      <Table.ScrollContainer minWidth={480} className="card">
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Repository</Table.Th>
              <Table.Th>Location</Table.Th>
              <Table.Th>Last scan</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {references.map(({ repository, path, line }) => {
              const scan = commits.get(repository);
              const address = codeAddressOf({
                repository,
                commit: scan?.commit ?? null,
                path,
                line,
              });
              const place = `${path}:${line}`;
              return (
                <Table.Tr key={`${repository} ${place}`}>
                  <Table.Td>{repository}</Table.Td>
                  <Table.Td>
                    {address ? (
                      <Anchor
                        href={address}
                        rel="noreferrer"
                        target="_blank"
                        ff="monospace"
                        size="sm"
                      >
                        {place}
                      </Anchor>
                    ) : (
                      <Text ff="monospace" size="sm">
                        {place}
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td>{scan && <Since instant={scan.scannedAt} />}</Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <details>
        <Text component="summary" size="sm" className="quiet">
          Update references from CI
        </Text>
        <Upload />
      </details>
    </Stack>
  );
}
