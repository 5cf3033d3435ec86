import {
  Alert,
  Badge,
  Breadcrumbs,
  Button,
  Code,
  Group,
  List,
  Stack,
  Table,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { applicationContract } from '../../../../src/modules/sdk/client-metrics/applications/contract.ts';
import { api, type Response } from '../../api.ts';
import { useRefusal } from '../../me.ts';
import { ProjectName } from '../../project-name.tsx';
import { invalidate, read } from '../../queries.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { joinAnd, plural } from '../../ui/format.ts';
import { GuardedButton } from '../../ui/guarded.tsx';
import { PageLink } from '../../ui/link.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { PageProblem } from '../../ui/page-problem.tsx';
import { useSaveForm } from '../../ui/save-form.ts';
import { Section } from '../../ui/section.tsx';
import table from '../../ui/table.module.css';
import { Since } from '../../ui/time.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import classes from './applications.module.css';
import { Sdk } from './sdk.tsx';
import { unknownFlagsOf } from './unknown-flags.ts';

const route = getRouteApi('/shell/applications/$appName');

type Application = Response<'GET /api/admin/metrics/applications/:appName'>;
type Overview = Response<'GET /api/admin/metrics/applications/:appName/overview'>;

const reads = [
  'GET /api/admin/metrics/applications',
  'GET /api/admin/metrics/applications/:appName',
] as const;

function EditForm({
  application,
  onClose,
}: {
  readonly application: Application;
  readonly onClose: () => void;
}) {
  const { appName } = application;
  const saving = useSaveForm({
    initialValues: { description: application.description, url: application.url ?? '' },
    schema: applicationContract.annotateApplication.body,
    bodyOf: ({ description, url }) => ({ description: description || null, url: url || null }),
    send: (body) =>
      api('POST /api/admin/metrics/applications/:appName', { params: { appName }, body }),
    refreshes: reads,
    onSaved: () => {
      onClose();
      tellDone({ id: `application ${appName}`, title: `Application ${appName} saved` });
    },
  });
  const { form } = saving;
  return (
    <FormDialog title={`Edit ${appName}`} action="Save" sending={saving} onClose={onClose}>
      <Textarea
        label="Description"
        autosize
        minRows={2}
        maxLength={1000}
        data-autofocus
        {...form.getInputProps('description')}
      />
      <TextInput label="URL" placeholder="https://" {...form.getInputProps('url')} />
    </FormDialog>
  );
}

/** What is wrong with an application, and what to do about it. */
function Issues({
  overview,
  application,
}: {
  readonly overview: Overview;
  readonly application: string;
}) {
  const outdated = new Set(overview.environments.flatMap(({ issues }) => issues.outdatedSdks));
  const unknown = unknownFlagsOf(overview);
  const { missingStrategies } = overview.issues;
  if (outdated.size + unknown.count + missingStrategies.length === 0) return null;
  return (
    <Alert color="yellow" title="Issues" role="status">
      <List size="sm" spacing={4}>
        {outdated.size > 0 && (
          <List.Item>
            Outdated SDK: {joinAnd([...outdated].map((sdk) => sdk.replace(':', ' ')))}. Upgrade to a
            newer version.
          </List.Item>
        )}
        {unknown.count > 0 && (
          <List.Item>
            {plural(unknown.count, 'unknown flag')} requested:{' '}
            {unknown.shown.map((name) => (
              <Code key={name} mr={4}>
                {name}
              </Code>
            ))}{' '}
            {unknown.more}{' '}
            <PageLink to="/unknown-flags" search={{ application }} inherit underline="always">
              Review
            </PageLink>
          </List.Item>
        )}
        {missingStrategies.length > 0 && (
          <List.Item>Strategy types used but not defined: {joinAnd(missingStrategies)}</List.Item>
        )}
      </List>
    </Alert>
  );
}

const instancesShown = 10;

function Instances({
  application,
  outdated,
}: {
  readonly application: Application;
  readonly outdated: ReadonlySet<string>;
}) {
  const [isAll, setAll] = useState(false);
  const { instances } = application;
  const hasAddresses = instances.some(({ clientIp }) => clientIp !== null);
  if (instances.length === 0) {
    return (
      <EmptyState title="No recent instances">
        Instances are removed when they stop reporting.
      </EmptyState>
    );
  }
  return (
    <>
      <div className={`card ${table.frame}`}>
        <Table
          className={`${table.table} ${table.stacked}`}
          verticalSpacing={8}
          horizontalSpacing="md"
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Instance</Table.Th>
              <Table.Th>Environment</Table.Th>
              <Table.Th>SDK</Table.Th>
              {hasAddresses && <Table.Th>IP address</Table.Th>}
              <Table.Th>Last seen</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {(isAll ? instances : instances.slice(0, instancesShown)).map((instance) => (
              <Table.Tr
                key={`${instance.environment} ${instance.instanceId}`}
                className={classes.row}
              >
                <Table.Td>
                  <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                    {instance.instanceId}
                  </Text>
                </Table.Td>
                <Table.Td data-label="Environment">{instance.environment}</Table.Td>
                <Table.Td>
                  {instance.sdkVersion === null ? (
                    <Text size="sm" className="quiet">
                      SDK not reported
                    </Text>
                  ) : (
                    <Sdk sdk={instance.sdkVersion} isOutdated={outdated.has(instance.sdkVersion)} />
                  )}
                </Table.Td>
                {hasAddresses && <Table.Td data-label="IP address">{instance.clientIp}</Table.Td>}
                <Table.Td data-label="Last seen">
                  <Since instant={instance.lastSeen} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {instances.length > instancesShown && (
        <Button variant="subtle" size="compact-sm" mt={4} onClick={() => setAll(!isAll)}>
          {isAll ? 'Show fewer' : `Show all ${instances.length}`}
        </Button>
      )}
    </>
  );
}

function Environments({ overview }: { readonly overview: Overview }) {
  return (
    <div className={classes.environments}>
      {overview.environments.map(({ name, instanceCount, sdks, lastSeen, issues }) => (
        <Stack key={name} className="card" p="md" gap={6}>
          <Group justify="space-between">
            <Text fw={600}>{name}</Text>
            <Text size="xs" className="quiet">
              Last seen <Since instant={lastSeen} />
            </Text>
          </Group>
          <Text size="sm" className="tabular">
            {plural(instanceCount, 'instance')}
          </Text>
          {sdks.length === 0 ? (
            <Text size="sm" className="quiet">
              SDK not reported
            </Text>
          ) : (
            sdks.map((sdk) => (
              <Sdk key={sdk} sdk={sdk} isOutdated={issues.outdatedSdks.includes(sdk)} />
            ))
          )}
        </Stack>
      ))}
    </div>
  );
}

function Features({ application }: { readonly application: Application }) {
  const { features } = application;
  if (features.length === 0) {
    return (
      <EmptyState title="No features evaluated yet">
        Features appear here when the SDK reports evaluations.
      </EmptyState>
    );
  }
  return (
    <div className={`card ${table.frame}`}>
      <Table
        className={`${table.table} ${table.stacked}`}
        verticalSpacing={8}
        horizontalSpacing="md"
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Feature</Table.Th>
            <Table.Th>Project</Table.Th>
            <Table.Th>Environments</Table.Th>
            <Table.Th>Last evaluated</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {features.map(({ name, project, archived, environments, lastSeen }) => (
            <Table.Tr key={name} className={classes.row}>
              <Table.Td className={classes.name}>
                <PageLink
                  to="/projects/$projectId/features/$featureName"
                  params={{ projectId: project, featureName: name }}
                  size="sm"
                  fw={600}
                >
                  {name}
                </PageLink>
                {archived && (
                  <Badge size="sm" color="gray" variant="light" tt="none" ml={6}>
                    Archived
                  </Badge>
                )}
              </Table.Td>
              <Table.Td data-label="Project">
                <PageLink to="/projects/$projectId" params={{ projectId: project }} size="sm">
                  <ProjectName id={project} />
                </PageLink>
              </Table.Td>
              <Table.Td>
                <Group gap={4}>
                  {environments.map((each) => (
                    <Badge key={each} size="sm" variant="light" color="gray" tt="none">
                      {each}
                    </Badge>
                  ))}
                </Group>
              </Table.Td>
              <Table.Td data-label="Last evaluated">
                <Since instant={lastSeen} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** One application: where it runs, with which SDKs, and which features it evaluates. */
export function Application() {
  const { appName } = route.useParams();
  const navigate = useNavigate();
  const params = { appName };
  const found = useQuery(read('GET /api/admin/metrics/applications/:appName', { params }));
  const overview = useQuery(
    read('GET /api/admin/metrics/applications/:appName/overview', { params }),
  );
  const [question, setQuestion] = useState<'edit' | 'delete'>();
  const mayNotChange = useRefusal('UPDATE_APPLICATION');
  const error = found.error ?? overview.error;
  if (error) return <PageProblem error={error} />;
  if (!found.data || !overview.data) return <Waiting />;
  const application = found.data;
  const outdated = new Set(overview.data.environments.flatMap(({ issues }) => issues.outdatedSdks));
  const close = () => setQuestion(undefined);
  return (
    <>
      <Breadcrumbs mb={4}>
        <PageLink to="/applications" size="sm">
          Applications
        </PageLink>
      </Breadcrumbs>
      <Group justify="space-between" align="start" gap="sm">
        <div className={classes.head}>
          <Title order={1} size="h2" className={classes.title}>
            {appName}
          </Title>
          <Text size="sm" className="quiet">
            {application.description !== '' && `${application.description} · `}
            {application.url !== undefined && (
              <>
                <a href={application.url} rel="noreferrer" target="_blank">
                  {application.url}
                </a>{' '}
                ·{' '}
              </>
            )}
            First seen <Since instant={application.createdAt} /> · Last seen{' '}
            <Since instant={application.lastSeen} />
          </Text>
        </div>
        <Group gap="xs">
          <GuardedButton
            refusal={mayNotChange}
            variant="default"
            onClick={() => setQuestion('edit')}
          >
            Edit
          </GuardedButton>
          <GuardedButton
            refusal={mayNotChange}
            variant="default"
            onClick={() => setQuestion('delete')}
          >
            Delete
          </GuardedButton>
        </Group>
      </Group>
      <Stack gap="lg" mt="md">
        <Issues overview={overview.data} application={appName} />
        <Section title="Environments">
          <Environments overview={overview.data} />
        </Section>
        <Section
          title={`Features (${application.features.length})`}
          aside={
            application.features.length > 0 && (
              <PageLink to="/playground" search={{ application: appName }} size="sm">
                Test in Playground
              </PageLink>
            )
          }
        >
          <Features application={application} />
        </Section>
        <Section title={`Instances (${application.instances.length})`}>
          <Instances application={application} outdated={outdated} />
        </Section>
      </Stack>
      {question === 'edit' && <EditForm application={application} onClose={close} />}
      {question === 'delete' && (
        <Confirm
          title={`Delete ${appName}?`}
          action="Delete application"
          onClose={close}
          onConfirm={async () => {
            await api('DELETE /api/admin/metrics/applications/:appName', { params });
            await navigate({ to: '/applications' });
            await invalidate(...reads);
            tellDone({ id: `application ${appName}`, title: `Application ${appName} deleted` });
          }}
        >
          <Text size="sm">
            This deletes its description and instances. Usage metrics are kept. The application
            reappears if one of its SDKs reports again.
          </Text>
        </Confirm>
      )}
    </>
  );
}
