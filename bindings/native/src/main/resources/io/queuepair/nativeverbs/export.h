// SPDX-License-Identifier: Apache-2.0
#pragma once

// Makes a function visible to programs; all others are hidden.
#define EXPORT __attribute__((visibility("default")))
