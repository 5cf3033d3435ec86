terraform {
  required_providers {
    unleash = {
      source = "unleash/unleash"
    }
  }
}

# The address and the token come from UNLEASH_URL and AUTH_TOKEN.
provider "unleash" {}

variable "stage" {
  description = "first: as it is made; second: as it is after everything was changed that can be"
  type        = string
}

locals {
  second = var.stage == "second"
}
