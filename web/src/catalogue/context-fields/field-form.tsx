import {
  ActionIcon,
  Button,
  Group,
  NumberInput,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { maxLegalValues } from '../../../../src/modules/catalogue/context-fields/contract.ts';
import { api } from '../../api.ts';
import type { ContextField } from '../../flags/constraint-check.ts';
import { useRefusal } from '../../me.ts';
import { invalidate, read } from '../../queries.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { Problem } from '../../ui/problem.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';

/** After the fields that every SDK fills in by itself. */
const usualOrder = 10;

export const CreateField = () => <FieldForm field={undefined} />;

export function EditField() {
  const { name } = useParams({ from: '/shell/configure/context/edit/$name' });
  const fields = useSuspenseQuery(read('GET /api/admin/context', {})).data;
  const field = fields.find((each) => each.name === name);
  if (!field) return <Problem error={new Error(`There is no context field ${name}`)} />;
  return <FieldForm key={name} field={field} />;
}

const whole = new Intl.NumberFormat();

function FieldForm({ field }: { readonly field: ContextField | undefined }) {
  const navigate = useNavigate();
  const close = () => void navigate({ to: '/context', search: true });
  const refusal = useRefusal(field ? 'UPDATE_CONTEXT_FIELD' : 'CREATE_CONTEXT_FIELD');
  const [name, setName] = useState(field?.name ?? '');
  const [description, setDescription] = useState(field?.description ?? '');
  const [stickiness, setStickiness] = useState(field?.stickiness ?? false);
  const [sortOrder, setSortOrder] = useState(field?.sortOrder ?? usualOrder);
  const [values, setValues] = useState(
    (field?.legalValues ?? []).map((legal) => ({ description: '', ...legal })),
  );
  const filled = values.filter(({ value }) => value.trim() !== '');
  const twice = filled.find(
    ({ value }, place) => filled.findIndex((each) => each.value === value) < place,
  );
  const save = useMutation({
    mutationFn: async () => {
      const body = {
        description: description.trim() || null,
        stickiness,
        sortOrder,
        legalValues: filled.map((legal) => ({
          value: legal.value.trim(),
          description: legal.description.trim() || null,
        })),
      };
      await (field
        ? api('PUT /api/admin/context/:contextField', {
            params: { contextField: field.name },
            body,
          })
        : api('POST /api/admin/context', { body: { name: name.trim(), ...body } }));
    },
    onSuccess: async () => {
      await invalidate('GET /api/admin/context');
      close();
      tellDone({ id: `field ${name}`, title: `The context field ${name.trim()} is saved` });
    },
  });
  const change = (place: number, next: Partial<(typeof values)[number]>) =>
    setValues(values.map((legal, index) => (index === place ? { ...legal, ...next } : legal)));
  return (
    <FormDialog
      title={field ? `Change ${field.name}` : 'New context field'}
      action={field ? 'Save' : 'Create context field'}
      size="lg"
      refusal={refusal}
      isReady={name.trim() !== '' && twice === undefined}
      sending={save}
      fields={['name', 'description']}
      onClose={close}
    >
      {!field && (
        <TextField
          name="name"
          label="Name"
          description="Exactly as applications send it."
          placeholder="country"
          required
          maxLength={100}
          data-autofocus
          value={name}
          refused={save.error}
          onChange={setName}
        />
      )}
      <TextField
        name="description"
        label="Description"
        maxLength={1000}
        value={description}
        refused={save.error}
        onChange={setDescription}
      />
      <Switch
        label="Rollouts and variants may stick to it"
        description="Whoever has the same value then always belongs to the same share."
        checked={stickiness}
        onChange={({ currentTarget }) => setStickiness(currentTarget.checked)}
      />
      <NumberInput
        label="Position in lists"
        description="The lowest comes first."
        min={0}
        max={2_147_483_647}
        allowDecimal={false}
        value={sortOrder}
        onChange={(value) => setSortOrder(Number(value) || 0)}
      />
      <Stack gap="xs" component="fieldset" className="plain-fieldset" aria-label="Legal values">
        <Group justify="space-between">
          <Text size="sm" fw={500}>
            Legal values
          </Text>
          <Text size="xs" className="quiet tabular">
            {whole.format(filled.length)} of {whole.format(maxLegalValues)}
          </Text>
        </Group>
        <Text size="xs" className="quiet">
          New conditions may compare with these alone. Without any, every value is legal. Conditions
          that exist stay as they are.
        </Text>
        {values.map((legal, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a value that is being typed has nothing but its place
          <Group key={place} gap="xs" wrap="nowrap" align="start">
            <TextInput
              aria-label={`Value ${place + 1}`}
              placeholder="Value"
              maxLength={100}
              style={{ flex: '1 1 120px' }}
              value={legal.value}
              error={legal === twice ? 'It is there twice.' : undefined}
              onChange={({ currentTarget }) => change(place, { value: currentTarget.value })}
            />
            <TextInput
              aria-label={`Meaning of value ${place + 1}`}
              placeholder="What it means"
              maxLength={250}
              style={{ flex: '2 1 160px' }}
              value={legal.description}
              onChange={({ currentTarget }) => change(place, { description: currentTarget.value })}
            />
            <Tooltip label="Remove">
              <ActionIcon
                variant="subtle"
                color="gray"
                mt={4}
                aria-label={`Remove value ${place + 1}`}
                onClick={() => setValues(values.toSpliced(place, 1))}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </Tooltip>
          </Group>
        ))}
        <Button
          variant="default"
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={values.length >= maxLegalValues}
          onClick={() => setValues([...values, { value: '', description: '' }])}
        >
          Add value
        </Button>
      </Stack>
    </FormDialog>
  );
}
