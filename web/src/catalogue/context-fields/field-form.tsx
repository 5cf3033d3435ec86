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
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import {
  contract,
  maxLegalValues,
} from '../../../../src/modules/catalogue/context-fields/contract.ts';
import { api } from '../../api.ts';
import type { ContextField } from '../../flags/strategy/constraint-check.ts';
import { useRefusal } from '../../me.ts';
import { read } from '../../queries.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { notFound, numberText } from '../../ui/format.ts';
import { MissingDialog } from '../../ui/missing-dialog.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { useSaveForm } from '../../ui/save-form.ts';
import { Tooltip } from '../../ui/tooltip.tsx';

/** After the fields that every SDK sets itself. */
const usualOrder = 10;

export const CreateField = () => <FieldForm field={undefined} />;

export function EditField() {
  const { name } = useParams({ from: '/shell/configure/context/edit/$name' });
  const fields = useSuspenseQuery(read('GET /api/admin/context', {})).data;
  const field = fields.find((each) => each.name === name);
  if (!field) return <MissingDialog message={notFound('Context field', name)} />;
  return <FieldForm key={name} field={field} />;
}

const isFilled = ({ value }: { readonly value: string }) => value.trim() !== '';

function FieldForm({ field }: { readonly field: ContextField | undefined }) {
  const navigate = useNavigate();
  const close = () => void navigate({ to: '/context', search: true });
  const refusal = useRefusal(field ? 'UPDATE_CONTEXT_FIELD' : 'CREATE_CONTEXT_FIELD');
  const saving = useSaveForm({
    initialValues: {
      name: field?.name ?? '',
      description: field?.description ?? '',
      stickiness: field?.stickiness ?? false,
      sortOrder: field?.sortOrder ?? usualOrder,
      legalValues: (field?.legalValues ?? []).map((legal) => ({ description: '', ...legal })),
    },
    schema: (field ? contract.updateContextField : contract.createContextField).body,
    bodyOf: ({ name, description, legalValues, ...rest }) => ({
      ...rest,
      name: name.trim(),
      description: description.trim() || null,
      legalValues: legalValues.map((legal) => ({
        value: legal.value.trim(),
        description: legal.description.trim() || null,
      })),
    }),
    send: async ({ name, ...body }) => {
      await (field
        ? api('PUT /api/admin/context/:contextField', { params: { contextField: name }, body })
        : api('POST /api/admin/context', { body: { name, ...body } }));
      return name;
    },
    refreshes: ['GET /api/admin/context'],
    onSaved: (name) => {
      close();
      tellDone({
        id: `field ${name}`,
        title: `Context field ${name} ${field ? 'saved' : 'created'}`,
      });
    },
  });
  const { form } = saving;
  const { name, legalValues } = form.values;
  const filled = legalValues.filter(isFilled);
  const twice = filled.find(
    ({ value }, place) => filled.findIndex((each) => each.value === value) < place,
  );
  const save = () => {
    form.setFieldValue('legalValues', filled);
    saving.mutate();
  };
  return (
    <FormDialog
      title={field ? `Edit ${field.name}` : 'New context field'}
      action={field ? 'Save' : 'Create context field'}
      size="lg"
      refusal={refusal}
      isReady={twice === undefined}
      sending={{ ...saving, isReady: name.trim() !== '', mutate: save }}
      onClose={close}
    >
      {!field && (
        <TextInput
          label="Name"
          description="Must match the name your applications send"
          placeholder="country"
          required
          maxLength={100}
          data-autofocus
          {...form.getInputProps('name')}
        />
      )}
      <TextInput label="Description" maxLength={1000} {...form.getInputProps('description')} />
      <Switch
        label="Available for stickiness"
        description="Users with the same value always get the same rollout result and variant."
        {...form.getInputProps('stickiness', { type: 'checkbox' })}
      />
      <NumberInput
        label="Sort order"
        description="Lowest first"
        min={0}
        max={2_147_483_647}
        allowDecimal={false}
        {...form.getInputProps('sortOrder')}
        onChange={(value) => form.setFieldValue('sortOrder', Number(value) || 0)}
      />
      <Stack gap="xs" component="fieldset" className="plain-fieldset" aria-label="Legal values">
        <Group justify="space-between">
          <Text size="sm" fw={500}>
            Legal values
          </Text>
          <Text size="xs" className="quiet tabular">
            {numberText(filled.length)} of {numberText(maxLegalValues)}
          </Text>
        </Group>
        <Text size="xs" className="quiet">
          New constraints can use only these values. Leave empty to allow any value. Existing
          constraints aren't affected.
        </Text>
        {legalValues.map((legal, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a value that is being typed has nothing but its place
          <Group key={place} gap="xs" wrap="nowrap" align="start">
            <TextInput
              aria-label={`Value ${place + 1}`}
              placeholder="Value"
              maxLength={100}
              style={{ flex: '1 1 120px' }}
              {...form.getInputProps(`legalValues.${place}.value`)}
              {...(legal === twice && { error: 'Duplicate value' })}
            />
            <TextInput
              aria-label={`Description of value ${place + 1}`}
              placeholder="Description"
              maxLength={250}
              style={{ flex: '2 1 160px' }}
              {...form.getInputProps(`legalValues.${place}.description`)}
            />
            <Tooltip label="Remove">
              <ActionIcon
                variant="subtle"
                color="gray"
                mt={4}
                aria-label={`Remove value ${place + 1}`}
                onClick={() => form.removeListItem('legalValues', place)}
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
          disabled={legalValues.length >= maxLegalValues}
          onClick={() => form.insertListItem('legalValues', { value: '', description: '' })}
        >
          Add value
        </Button>
      </Stack>
    </FormDialog>
  );
}
