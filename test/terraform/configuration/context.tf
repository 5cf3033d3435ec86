resource "unleash_context_field" "bare" {
  name = "tf-bare"
}

resource "unleash_context_field" "plan" {
  name        = "tf-plan"
  description = local.second ? "Which plan is paid for" : "The plan"
  stickiness  = local.second
  legal_values = concat(
    [{ value = "free" }, { value = "paid", description = "By the month" }],
    local.second ? [{ value = "trial" }] : [],
  )
}

# The secret was entered before, and is not given out again: the stars stand for it.
resource "unleash_oidc" "provider" {
  enabled      = true
  discover_url = "https://login.example.com/realms/tf"
  client_id    = local.second ? "burgee-second" : "burgee"
  secret       = "*****"
  auto_create  = local.second
}
