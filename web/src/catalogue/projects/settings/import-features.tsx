import '@mantine/core/styles/Accordion.layer.css';
import {
  Accordion,
  Alert,
  Badge,
  Button,
  FileButton,
  Group,
  List,
  Select,
  Stack,
  Text,
  Textarea,
  Title,
} from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { importExportContract } from '../../../../../src/modules/flags/import-export/contract.ts';
import { api, Proposed, type Request, type Response } from '../../../api.ts';
import { useMay, useProtectedEnvironments, useRefusal } from '../../../me.ts';
import { invalidate, read } from '../../../queries.ts';
import { plural } from '../../../ui/format.ts';
import { GuardedButton } from '../../../ui/guarded.tsx';
import { PageLink } from '../../../ui/link.tsx';
import { tellDone } from '../../../ui/notices.tsx';
import classes from '../projects.module.css';
import { planSteps, readDocument, type Step } from './plan.ts';

type ImportRequest = Request<'POST /api/admin/features-batch/import'>['body'];
type Validation = Response<'POST /api/admin/features-batch/validate'>;

/** Why nothing can be imported. The preview says which permissions an import needs, unless it is proposed. */
function useImportRefusal(project: string, isProposed: boolean): string | undefined {
  const may = useMay();
  const refusal = useRefusal('CREATE_FEATURE', { project });
  const mayChange = [importExportContract.importFeatures.permission]
    .flat()
    .some((each) => may(each, { project, inAnyEnvironment: true }));
  return mayChange || isProposed ? undefined : refusal;
}

/** Previews an import from a file or a text before it runs. */
export function ImportFeatures({ projectId }: { readonly projectId: string }) {
  const environments =
    useQuery(read('GET /api/admin/environments/project/:projectId', { params: { projectId } })).data
      ?.environments ?? [];
  const [chosenEnvironment, setEnvironment] = useState<string | null>(null);
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string>();
  const environment = chosenEnvironment ?? environments[0]?.name ?? '';
  const isProposed = useProtectedEnvironments()(projectId).includes(environment);
  const refusal = useImportRefusal(projectId, isProposed);

  const request = (): ImportRequest => {
    const found = readDocument(text);
    if ('fault' in found) throw new Error(found.fault);
    // The server checks the document and says what is wrong in it.
    return { project: projectId, environment, data: found.document as ImportRequest['data'] };
  };
  const check = useMutation({
    mutationFn: async () => {
      const body = request();
      return { body, answer: await api('POST /api/admin/features-batch/validate', { body }) };
    },
  });
  const run = useMutation({
    mutationFn: (body: ImportRequest) => api('POST /api/admin/features-batch/import', { body }),
    onSuccess: async () => {
      await invalidate(
        'GET /api/admin/search/features',
        'GET /api/admin/projects/:projectId/overview',
        'GET /api/admin/projects/:projectId/budget',
      );
      tellDone({ id: 'import', title: `Import into ${environment} complete` });
    },
  });
  const change = (next: string) => {
    setText(next);
    setFault(undefined);
    check.reset();
    run.reset();
  };
  const checked = check.data;

  return (
    <Stack>
      <Select
        label="Target environment"
        allowDeselect={false}
        data={environments.map(({ name }) => name)}
        value={environment}
        onChange={(value) => {
          setEnvironment(value);
          check.reset();
          run.reset();
        }}
      />
      <Textarea
        label="Export JSON"
        description="Paste an export or upload a file"
        minRows={6}
        maxRows={14}
        autosize
        spellCheck={false}
        classNames={{ input: classes.document }}
        value={text}
        error={fault}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
      <Group>
        <FileButton
          accept="application/json,.json"
          // A browser doesn't report the file that is chosen already, even if it was changed meanwhile.
          inputProps={{
            onClick: ({ currentTarget }) => {
              currentTarget.value = '';
            },
          }}
          onChange={(file) => {
            file
              ?.text()
              .then(change)
              .catch(() => setFault("Couldn't read the file"));
          }}
        >
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconUpload size={16} aria-hidden />}>
              Upload file
            </Button>
          )}
        </FileButton>
        <GuardedButton
          refusal={refusal}
          onClick={() => {
            run.reset();
            check.mutate();
          }}
          loading={check.isPending}
          disabled={refusal === undefined && (text.trim() === '' || environment === '')}
        >
          Preview import
        </GuardedButton>
      </Group>
      {check.isError && (
        <Alert color="red" role="alert" title="Can't import this file">
          {check.error.message}
        </Alert>
      )}
      {checked && !run.isSuccess && !(run.error instanceof Proposed) && (
        <PlanView
          answer={checked.answer}
          environment={environment}
          isProposed={isProposed}
          isRunning={run.isPending}
          onRun={() => run.mutate(checked.body)}
        />
      )}
      {run.error instanceof Proposed && (
        <Alert color="blue" title="Import proposed" role="status">
          {run.error.message}. Nothing is imported until it is approved and applied.
        </Alert>
      )}
      {run.isError && !(run.error instanceof Proposed) && (
        <Alert color="red" role="alert" title="Import failed. Nothing was changed">
          {run.error.message}
        </Alert>
      )}
      {run.isSuccess && checked && (
        <Alert color="teal" title="Import complete" role="status">
          <DoneSteps steps={planSteps(checked.answer.plan, environment)} />
          <PageLink to="/projects/$projectId" params={{ projectId }} size="sm">
            View features
          </PageLink>
        </Alert>
      )}
    </Stack>
  );
}

const DoneSteps = ({ steps }: { readonly steps: readonly Step[] }) => (
  <List size="sm" mb="xs">
    {steps.map(({ done }) => (
      <List.Item key={done}>{done}</List.Item>
    ))}
  </List>
);

interface FindingProps {
  readonly title: string;
  readonly color: string;
  readonly findings: Validation['errors'];
}

const Findings = ({ title, color, findings }: FindingProps) =>
  findings.length > 0 && (
    <Alert color={color} title={title}>
      <List size="sm">
        {findings.map(({ message, affectedItems }) => (
          <List.Item key={message}>
            {message}
            {affectedItems.length > 0 && (
              <Text size="sm" className={classes.archivedName}>
                {affectedItems.join(', ')}
              </Text>
            )}
          </List.Item>
        ))}
      </List>
    </Alert>
  );

interface PlanProps {
  readonly answer: Validation;
  readonly environment: string;
  readonly isProposed: boolean;
  readonly isRunning: boolean;
  readonly onRun: () => void;
}

/** What an import would do, and what prevents it. Nothing has changed yet. */
function PlanView({ answer, environment, isProposed, isRunning, onRun }: PlanProps) {
  const { errors, warnings, plan } = answer;
  const permissions = isProposed ? [] : answer.permissions;
  const isRefused = errors.length > 0 || permissions.length > 0;
  const steps = planSteps(plan, environment);
  return (
    <section aria-label="Import preview" className={classes.part}>
      <Title order={3} size="h5">
        Preview
      </Title>
      <Findings title="Fix these errors to continue" color="red" findings={errors} />
      <Findings title="Missing permissions" color="red" findings={permissions} />
      <Findings title="Warnings" color="yellow" findings={warnings} />
      {steps.length === 0 ? (
        !isRefused && <Text size="sm">No changes. Everything is up to date.</Text>
      ) : (
        <Accordion variant="contained" multiple order={4} transitionDuration={100}>
          {steps.map(({ text, items, removes }, index) => (
            // A text has spaces, which make the IDs of its panel invalid.
            <Accordion.Item key={text} value={String(index)}>
              <Accordion.Control>
                <Text size="sm" {...(removes && { c: 'var(--mantine-color-error)', fw: 600 })}>
                  {text}
                </Text>
              </Accordion.Control>
              <Accordion.Panel>
                <List size="sm" className={classes.longList}>
                  {items.map((item) => (
                    <List.Item key={item}>{item}</List.Item>
                  ))}
                </List>
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      )}
      {plan.featuresUnchanged.length > 0 && (
        <Group gap={6}>
          <Badge variant="light" color="gray" tt="none">
            {plural(plan.featuresUnchanged.length, 'feature')} unchanged
          </Badge>
        </Group>
      )}
      <Group>
        <Button onClick={onRun} loading={isRunning} disabled={isRefused || steps.length === 0}>
          {isProposed ? 'Propose import' : 'Import'} into {environment}
        </Button>
      </Group>
    </section>
  );
}
