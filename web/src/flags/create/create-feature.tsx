import {
  Alert,
  Breadcrumbs,
  Button,
  Checkbox,
  Code,
  Group,
  Input,
  Loader,
  Radio,
  SegmentedControl,
  Select,
  Skeleton,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { contract } from '../../../../src/modules/flags/features/create/contract.ts';
import { ApiError, api, Proposed, type Request } from '../../api.ts';
import { useRefusal } from '../../me.ts';
import { queryClient, read } from '../../queries.ts';
import { ErrorId } from '../../ui/error-id.tsx';
import { faultMessage } from '../../ui/fault-message.ts';
import { notFound } from '../../ui/format.ts';
import { GuardedButton } from '../../ui/guarded.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { PageLink } from '../../ui/link.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { MissingPage } from '../../ui/page-problem.tsx';
import { ProductionMark } from '../../ui/production-mark.tsx';
import { faultIn, isWithin, useSaveMutation } from '../../ui/save-mutation.ts';
import { WithCode } from '../../ui/with-code.tsx';
import { lifetimeText } from '../lifetime.ts';
import { audienceSentence } from '../strategy/strategy-sentence.ts';
import { tagText } from '../tag-text.ts';
import { TagsField } from '../tags-field.tsx';
import { readDefinition, type Shape } from './definition.ts';
import { nameProblem } from './feature-name.ts';
import { NamingHint } from './naming-hint.tsx';

const route = getRouteApi('/shell/projects/$projectId/create-toggle');

type Body = NonNullable<Request<'POST /api/admin/projects/:projectId/features'>['body']>;

const shape = contract.createFeature.body as Shape;

/** The fields that show what is wrong with them. */
const shownFields = ['name', 'type', 'description', 'tags', 'environments'];

/** In JSON a fault is found by its place. */
const placedWords = (message: string) =>
  message
    .replace(/^Request validation failed: /, '')
    .replace(/^\/body\/(\S+)\s/, '$1 ')
    .replace(/; you sent .*$/s, '');

const JsonEditor = lazyPart(() => import('../../ui/json-editor.tsx'), 'JsonEditor');

/** Checks while typing whether the name is available and matches the pattern of the project. */
function useNameCheck(name: string, projectId: string, isSent: boolean) {
  const [settled] = useDebouncedValue(name, 200);
  const wrong = nameProblem(name);
  const check = useQuery({
    queryKey: ['POST /api/admin/features/validate', settled, projectId],
    queryFn: async ({ signal }) => {
      try {
        await api('POST /api/admin/features/validate', {
          body: { name: settled, projectId },
          signal,
        });
        return { problem: undefined };
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500) throw error;
        return { problem: faultMessage(error.faults[0]?.message ?? error.message) };
      }
    },
    // The name is taken by the feature itself then.
    enabled: settled !== '' && !isSent && nameProblem(settled) === undefined,
    staleTime: 10_000,
  });
  const isCurrent = settled === name && name !== '' && check.data !== undefined;
  return {
    problem: wrong ?? (isCurrent ? check.data?.problem : undefined),
    isFree: isCurrent && check.data?.problem === undefined,
    isChecking: name !== '' && wrong === undefined && !isCurrent && !check.isError,
  };
}

interface PartProps {
  readonly body: Body;
  readonly projectId: string;
  readonly isSent: boolean;
  readonly onChange: (body: Body) => void;
  /** What is wrong with a part of the request, by its name. */
  readonly faultOf: (part: string) => string | undefined;
}

function NameField({ body, projectId, isSent, onChange, faultOf }: PartProps) {
  const naming = useQuery(
    read('GET /api/admin/projects/:projectId/overview', { params: { projectId } }),
  ).data?.featureNaming;
  const { problem, isFree, isChecking } = useNameCheck(body.name, projectId, isSent);
  return (
    <TextInput
      label="Name"
      description={<NamingHint naming={naming} />}
      placeholder={naming?.example ?? 'checkout-express-pay'}
      required
      autoFocus
      autoComplete="off"
      spellCheck={false}
      value={body.name}
      onChange={({ currentTarget }) => onChange({ ...body, name: currentTarget.value })}
      error={faultOf('name') ?? problem}
      rightSection={
        isFree ? (
          <IconCheck
            size={16}
            role="img"
            aria-label="Name is available"
            color="var(--mantine-color-teal-6)"
          />
        ) : isChecking ? (
          <Loader size={14} aria-label="Checking availability" />
        ) : undefined
      }
    />
  );
}

function TypeField({ body, onChange, faultOf }: PartProps) {
  const types = useQuery(read('GET /api/admin/feature-types', {})).data?.types ?? [];
  return (
    <Radio.Group
      label="Type"
      description="Sets the expected lifetime, after which a feature counts as potentially stale. Doesn't affect evaluation."
      value={body.type ?? 'release'}
      onChange={(type) => onChange({ ...body, type })}
      error={faultOf('type')}
    >
      <Stack gap="xs" mt="xs">
        {types.map((type) => (
          <Radio
            key={type.id}
            value={type.id}
            label={type.name}
            description={`${type.description} · ${lifetimeText(type.lifetimeDays)}`}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

function Form(props: PartProps) {
  const { body, projectId, onChange, faultOf } = props;
  const tags = useQuery(read('GET /api/admin/tags', {})).data?.tags ?? [];
  const environments =
    useQuery(read('GET /api/admin/projects/:projectId/overview', { params: { projectId } })).data
      ?.environments ?? [];
  const listed = useQuery(read('GET /api/admin/environments', {})).data?.environments ?? [];
  const segments = useQuery(read('GET /api/admin/segments', {})).data?.segments ?? [];
  const names = new Map(segments.map(({ id, name }) => [id, name]));
  const production = new Set(
    listed.filter(({ type }) => type === 'production').map(({ name }) => name),
  );
  const on = (body.environments ?? []).flatMap(({ name, enabled }) => (enabled ? [name] : []));
  const switchOn = (names: readonly string[]) => {
    const others = (body.environments ?? []).filter(
      ({ strategies = [], variants = [] }) => strategies.length + variants.length > 0,
    );
    const kept = others.map((each) => ({ ...each, enabled: names.includes(each.name) }));
    const added = names
      .filter((name) => !others.some((each) => each.name === name))
      .map((name) => ({ name, enabled: true }));
    onChange({ ...body, environments: [...kept, ...added] });
  };
  return (
    <Stack gap="lg">
      <NameField {...props} />
      <TypeField {...props} />
      <Textarea
        label="Description"
        placeholder="What this feature changes, and for whom"
        autosize
        minRows={2}
        value={body.description ?? ''}
        onChange={({ currentTarget }) => onChange({ ...body, description: currentTarget.value })}
        error={faultOf('description')}
      />
      <TagsField
        label="Tags"
        description="Format: type:value. Without a type, it's saved as a simple tag."
        data={tags.map(tagText)}
        limit={20}
        tags={body.tags ?? []}
        onChange={(chosen) => onChange({ ...body, tags: chosen })}
        error={faultOf('tags')}
      />
      <Checkbox.Group
        label="Enable in"
        description="Uses the project's default strategy"
        value={on}
        onChange={switchOn}
        error={faultOf('environments')}
      >
        <Stack mt="xs" gap="xs">
          {environments.map(({ environment, defaultStrategy }) => (
            <Checkbox
              key={environment}
              value={environment}
              label={
                <Group gap={6}>
                  {environment}
                  {production.has(environment) && <ProductionMark name={environment} />}
                </Group>
              }
              description={audienceSentence({ ...defaultStrategy, disabled: false }, names)}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <Checkbox
        label="Impression data"
        description="SDKs emit an event on every evaluation, e.g. for analytics"
        checked={body.impressionData ?? false}
        onChange={({ currentTarget }) =>
          onChange({ ...body, impressionData: currentTarget.checked })
        }
      />
    </Stack>
  );
}

interface JsonProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly problem: string | undefined;
  readonly notUnderstood: readonly string[];
}

const AsJson = ({ text, onChange, problem, notUnderstood }: JsonProps) => (
  <Stack>
    <Input.Wrapper
      label="Definition"
      labelElement="div"
      description="Paste a create request or a feature returned by the API. Strategies and variants go under their environment."
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      error={problem}
    >
      <Suspense fallback={<Skeleton h={280} />}>
        <JsonEditor label="Definition" text={text} onChange={onChange} />
      </Suspense>
    </Input.Wrapper>
    {notUnderstood.length > 0 && (
      <Alert color="yellow" title="These fields will be ignored" role="status">
        <Group gap={6}>
          {notUnderstood.map((place) => (
            <Code key={place}>{place}</Code>
          ))}
        </Group>
      </Alert>
    )}
  </Stack>
);

const written = (body: Body) => JSON.stringify(body, null, 2);

/** A new feature, by a form or as JSON. */
export function CreateFeature() {
  const { projectId } = route.useParams();
  const { name: wantedName = '', as } = route.useSearch();
  const navigate = route.useNavigate();
  const isJson = as === 'json';
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects;
  const project = projects?.find(({ id }) => id === projectId);
  const form = useForm<Body>({ initialValues: { name: wantedName, type: 'release' } });
  const [text, setText] = useState(() => written(form.values));
  const refusal = useRefusal('CREATE_FEATURE', { project: projectId });
  const definition = isJson ? readDefinition(text, shape) : undefined;
  const body =
    definition && 'body' in definition ? (definition.body as unknown as Body) : form.values;
  const creating = useSaveMutation(
    {
      // The server names all faults of a pasted definition with their place.
      schema: isJson ? undefined : contract.createFeature.body,
      send: (sent: Body) =>
        api('POST /api/admin/projects/:projectId/features', { params: { projectId }, body: sent }),
      refreshes: [],
      onSaved: async (feature) => {
        await queryClient.invalidateQueries({
          predicate: ({ queryKey: [operation] }) =>
            /^GET .*(feature|project|tags)/.test(String(operation)),
        });
        tellDone({ id: 'created', title: `${feature.name} created` });
        await navigate({
          to: '/projects/$projectId/features/$featureName',
          params: { projectId, featureName: feature.name },
        });
      },
      onProposed: () => navigate({ to: '/projects/$projectId', params: { projectId } }),
    },
    {
      faults: form.errors,
      setFaults: form.setErrors,
      isField: (path) => !isJson && shownFields.some((field) => isWithin(path, field)),
    },
  );
  const error = creating.error instanceof Proposed ? null : creating.error;
  const faults = error instanceof ApiError ? error.faults : [];
  const change = (next: Body) => {
    creating.reset();
    form.setValues(next);
  };
  const show = (wanted: string) => {
    creating.reset();
    if (wanted === 'json') setText(written(form.values));
    else if (definition && 'body' in definition) form.setValues(definition.body);
    void navigate({ search: (before) => ({ ...before, as: wanted }), replace: true });
  };
  if (projects && !project) return <MissingPage message={notFound('Project', projectId)} />;
  return (
    <Stack maw={720}>
      <div>
        <Breadcrumbs mb={4}>
          <PageLink to="/search" size="sm">
            Features
          </PageLink>
          <PageLink to="/projects/$projectId" params={{ projectId }} size="sm">
            {project?.name ?? projectId}
          </PageLink>
        </Breadcrumbs>
        <Group justify="space-between">
          <Title order={1} size="h2">
            New feature
          </Title>
          <SegmentedControl
            aria-label="Input mode"
            data={[
              { value: 'form', label: 'Form' },
              { value: 'json', label: 'JSON' },
            ]}
            value={isJson ? 'json' : 'form'}
            onChange={show}
          />
        </Group>
      </div>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (refusal === undefined && !(definition && 'problem' in definition)) {
            creating.save(body);
          }
        }}
      >
        <Stack gap="lg" className="card" p="lg">
          <Select
            label="Project"
            searchable
            allowDeselect={false}
            data={(projects ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            value={projectId}
            onChange={(id) =>
              id !== null &&
              void navigate({
                to: '/projects/$projectId/create-toggle',
                params: { projectId: id },
                search: (before) => before,
                replace: true,
              })
            }
          />
          {definition ? (
            <AsJson
              text={text}
              onChange={(next) => {
                creating.reset();
                setText(next);
              }}
              problem={'problem' in definition ? definition.problem : undefined}
              notUnderstood={'notUnderstood' in definition ? definition.notUnderstood : []}
            />
          ) : (
            <Form
              body={form.values}
              projectId={projectId}
              isSent={creating.isPending || creating.isSuccess}
              onChange={change}
              faultOf={(part) => faultIn(form.errors, part)}
            />
          )}
          {refusal !== undefined && (
            <Alert color="gray">
              <WithCode text={refusal} />
            </Alert>
          )}
          {error && (
            <Alert
              color="red"
              role="alert"
              title={faults.length > 1 ? "Couldn't create feature" : undefined}
            >
              {(faults.length > 0 ? faults : [error]).map(({ message }) => (
                <Text key={message} size="sm">
                  {placedWords(message)}
                </Text>
              ))}
              {faults.length === 0 && error instanceof ApiError && error.id !== undefined && (
                <ErrorId id={error.id} />
              )}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => window.history.back()}>
              Cancel
            </Button>
            <GuardedButton
              type="submit"
              refusal={refusal}
              loading={creating.isPending}
              disabled={!body.name}
            >
              Create feature
            </GuardedButton>
          </Group>
        </Stack>
      </form>
    </Stack>
  );
}
