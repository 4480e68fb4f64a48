// SPDX-License-Identifier: Apache-2.0
// What we use of the Java Native Interface, declared here so that no JDK header has to be installed.
// The table of functions is part of the specification of JNI: places in it never change.
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
