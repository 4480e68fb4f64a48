// SPDX-License-Identifier: Apache-2.0
// What we use of the Java Native Interface, declared here so that no JDK header has to be installed.
// The tables of functions are part of the specification of JNI: places in them never change.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef void *jobject;
typedef jobject jclass;
typedef struct method *jmethodID;

typedef union {
  int64_t j;
  jobject l;
} jvalue;

typedef const struct jni_functions *JNIEnv;
typedef const struct jvm_functions *JavaVM;

struct native_method {
  const char *name;
  const char *signature;
  void *function;
};

struct jni_functions {
  void *unused0[6];
  jclass (*FindClass)(JNIEnv *, const char *);
  void *unused1[9];
  void (*ExceptionDescribe)(JNIEnv *);
  void (*ExceptionClear)(JNIEnv *);
  void *unused2[3];
  jobject (*NewGlobalRef)(JNIEnv *, jobject);
  void (*DeleteGlobalRef)(JNIEnv *, jobject);
  void (*DeleteLocalRef)(JNIEnv *, jobject);
  void *unused3[6];
  jobject (*NewObjectA)(JNIEnv *, jclass, jmethodID, const jvalue *);
  void *unused4[2];
  jmethodID (*GetMethodID)(JNIEnv *, jclass, const char *, const char *);
  void *unused5[79];
  jmethodID (*GetStaticMethodID)(JNIEnv *, jclass, const char *, const char *);
  void *unused6[2];
  jobject (*CallStaticObjectMethodA)(JNIEnv *, jclass, jmethodID, const jvalue *);
  void *unused7[17];
  int64_t (*CallStaticLongMethodA)(JNIEnv *, jclass, jmethodID, const jvalue *);
  void *unused8[32];
  jobject (*NewStringUTF)(JNIEnv *, const char *);
  void *unused9[4];
  jobject (*NewObjectArray)(JNIEnv *, int32_t, jclass, jobject);
  void *unused10[1];
  void (*SetObjectArrayElement)(JNIEnv *, jobject, int32_t, jobject);
  void *unused11[40];
  int32_t (*RegisterNatives)(JNIEnv *, jclass, const struct native_method *, int32_t);
  void *unused12[12];
  uint8_t (*ExceptionCheck)(JNIEnv *);
  jobject (*NewDirectByteBuffer)(JNIEnv *, void *, int64_t);
  void *(*GetDirectBufferAddress)(JNIEnv *, jobject);
};

struct jvm_functions {
  void *unused0[5];
  int32_t (*DetachCurrentThread)(JavaVM *);
  int32_t (*GetEnv)(JavaVM *, void **, int32_t);
  int32_t (*AttachCurrentThreadAsDaemon)(JavaVM *, void **, void *);
};

#define JNI_PLACE(table, function, place) \
  _Static_assert(offsetof(struct table, function) == (place) * sizeof(void *), #function);
JNI_PLACE(jni_functions, FindClass, 6)
JNI_PLACE(jni_functions, ExceptionClear, 17)
JNI_PLACE(jni_functions, NewGlobalRef, 21)
JNI_PLACE(jni_functions, NewObjectA, 30)
JNI_PLACE(jni_functions, GetMethodID, 33)
JNI_PLACE(jni_functions, GetStaticMethodID, 113)
JNI_PLACE(jni_functions, CallStaticObjectMethodA, 116)
JNI_PLACE(jni_functions, CallStaticLongMethodA, 134)
JNI_PLACE(jni_functions, NewStringUTF, 167)
JNI_PLACE(jni_functions, NewObjectArray, 172)
JNI_PLACE(jni_functions, SetObjectArrayElement, 174)
JNI_PLACE(jni_functions, RegisterNatives, 215)
JNI_PLACE(jni_functions, ExceptionCheck, 228)
JNI_PLACE(jni_functions, GetDirectBufferAddress, 230)
JNI_PLACE(jvm_functions, AttachCurrentThreadAsDaemon, 7)

enum { JNI_OK = 0, JNI_VERSION = 0x000a0000 };

struct jvm_option {
  const char *text;
  void *extra;
};

struct jvm_init {
  int32_t version;
  int32_t options_count;
  struct jvm_option *options;
  uint8_t ignore_unrecognized;
};

struct jvm_attach {
  int32_t version;
  const char *name;
  jobject group;
};
