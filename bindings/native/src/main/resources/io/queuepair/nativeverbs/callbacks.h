// SPDX-License-Identifier: Apache-2.0
// What Java calls here: the native methods of NativeCallbacks.
#pragma once

#include "jni_abi.h"

extern const struct native_method callbacks[];
extern const int callbacks_count;
