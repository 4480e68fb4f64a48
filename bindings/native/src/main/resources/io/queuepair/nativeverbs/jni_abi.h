// SPDX-License-Identifier: Apache-2.0
// Part of the Java Native Interface, declared here so that no JDK header has to be installed. The
// specification of JNI fixes the places in the table of functions.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef void *jobject;
typedef jobject jclass;
typedef const struct jni_functions *JNIEnv;

struct jni_functions {
  void *unused[229];
  jobject (*NewDirectByteBuffer)(JNIEnv *, void *, int64_t);
  void *(*GetDirectBufferAddress)(JNIEnv *, jobject);
};

_Static_assert(offsetof(struct jni_functions, GetDirectBufferAddress) == 230 * sizeof(void *), "JNI");
