// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "jvm.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "callbacks.h"
#include "forked.h"
#include "jni_abi.h"
#include "message.h"
#include "signals.h"

#define PACKAGE "io/queuepair/nativeverbs/"
#define CALLBACKS PACKAGE "NativeCallbacks"

enum {
  JVM_STACK_BYTES = 8 << 20,
  STOP_SECONDS = 2, // At most, at the end of a process.
  MAX_OPTIONS = 48,
  // A thread needs that much for Java: guard pages of the JVM and a deep call into the device.
  MIN_STACK_BYTES = 224 << 10,
};

enum state { NOT_STARTED, RUNNING, FAILED, FORKED };

static const struct {
  const char *class, *method;
} names[ENTRIES] = {
#define ENTRY(name, class, method) {PACKAGE class, method},
#include "entries.h"
#undef ENTRY
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static volatile enum state state = NOT_STARTED;
static JavaVM *vm;
static jclass classes[ENTRIES];
static jmethodID methods[ENTRIES];
static pthread_key_t at_exit;
static bool is_of_program; // The JVM: a Java program runs in it.
static jobject loader;     // Of our classes in a JVM of the program; else null.

struct proxy;

static __thread struct {
  JNIEnv *env;
  struct args *args;
  jobject buffer;
  struct proxy *proxy;
  int in_java;
} thread;

static struct args no_memory; // Shared, but then nothing works anyway.

bool jvm_is_running(void) { return state == RUNNING; }

bool jvm_owns_thread(void) {
  void *env;
  if (state == NOT_STARTED || !vm || (*vm)->GetEnv(vm, &env, JNI_VERSION) != JNI_OK) return false;
  return thread.env == NULL || thread.in_java > 0;
}

static void add_options(struct jvm_option *options, int *count, const char *lines) {
  char *rest = strdup(lines), *line;
  while (rest && (line = strsep(&rest, "\n")) && *count < MAX_OPTIONS)
    if (*line) options[(*count)++] = (struct jvm_option){.text = line};
}

// The JVM that runs the program, if that is one of Java: a process can have no second.
static JNIEnv *find_present(void) {
  int32_t (*created)(JavaVM **, int32_t, int32_t *);
  *(void **)&created = dlsym(RTLD_DEFAULT, "JNI_GetCreatedJavaVMs");
  int32_t count = 0;
  if (!created || created(&vm, 1, &count) != JNI_OK || count == 0) return NULL;
  struct jvm_attach attach = {.version = JNI_VERSION, .name = "queuepair"};
  JNIEnv *env = NULL;
  if ((*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&env, &attach) != JNI_OK) return NULL;
  is_of_program = true;
  return env;
}

// Creates the JVM with the options of the launcher, one a line.
static JNIEnv *create(void) {
  const char *path = getenv("QUEUEPAIR_LIBJVM"), *lines = getenv("QUEUEPAIR_JVM_OPTIONS");
  if (!path || !lines) {
    message("no device: QUEUEPAIR_LIBJVM is not set (start the program with: queuepair run -- ...)");
    return NULL;
  }
  void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  if (!library) {
    message("no device: %s", dlerror());
    return NULL;
  }
  int32_t (*create_vm)(JavaVM **, void **, void *);
  *(void **)&create_vm = dlsym(library, "JNI_CreateJavaVM");
  struct jvm_option options[MAX_OPTIONS];
  int count = 0;
  add_options(options, &count, lines);
  const char *more = getenv("QUEUEPAIR_JAVA_OPTS");
  if (more) {
    char *copy = strdup(more);
    for (char *c = copy; c && *c; c++)
      if (*c == ' ') *c = '\n';
    if (copy) add_options(options, &count, copy);
    free(copy);
  }
  struct jvm_init init = {.version = JNI_VERSION, .options_count = count, .options = options};
  JNIEnv *env = NULL;
  struct sigaction before[NSIG];
  signals_save(before);
  int32_t result = create_vm ? create_vm(&vm, (void **)&env, &init) : -1;
  signals_take_over(before);
  if (result != JNI_OK) {
    vm = NULL;
    message("no device: the Java virtual machine of %s does not start", path);
    return NULL;
  }
  return env;
}

static bool has_failed(JNIEnv *env) {
  if (!(*env)->ExceptionCheck(env)) return false;
  (*env)->ExceptionDescribe(env);
  (*env)->ExceptionClear(env);
  return true;
}

static jobject new_object(JNIEnv *env, const char *type, const char *signature, jvalue argument) {
  jclass class = (*env)->FindClass(env, type);
  if (has_failed(env)) return NULL;
  jmethodID constructor = (*env)->GetMethodID(env, class, "<init>", signature);
  if (has_failed(env)) return NULL;
  jobject object = (*env)->NewObjectA(env, class, constructor, &argument);
  return has_failed(env) ? NULL : object;
}

static jobject url_of(JNIEnv *env, const char *path) {
  char text[PATH_MAX + 8];
  struct stat file;
  bool is_directory = stat(path, &file) == 0 && S_ISDIR(file.st_mode);
  snprintf(text, sizeof text, "file:%s%s", path, is_directory ? "/" : "");
  jvalue string = {.l = (*env)->NewStringUTF(env, text)};
  return new_object(env, "java/net/URL", "(Ljava/lang/String;)V", string);
}

// A class loader for the class path of the launcher: the program has its own, perhaps with other
// versions of the same libraries.
static bool make_loader(JNIEnv *env) {
  static const char option[] = "-Djava.class.path=";
  const char *lines = getenv("QUEUEPAIR_JVM_OPTIONS");
  const char *start = lines ? strstr(lines, option) : NULL;
  if (!start) {
    message("no device: start the program with: queuepair run -- ...");
    return false;
  }
  start += sizeof option - 1;
  char *paths = strndup(start, strcspn(start, "\n")), *rest = paths, *path;
  int32_t count = 1;
  for (const char *c = paths; c && *c; c++) count += *c == ':';
  jclass url = (*env)->FindClass(env, "java/net/URL");
  if (has_failed(env)) return false;
  jvalue urls = {.l = (*env)->NewObjectArray(env, count, url, NULL)};
  for (int32_t i = 0; (path = strsep(&rest, ":")) != NULL && i < count; i++)
    (*env)->SetObjectArrayElement(env, urls.l, i, url_of(env, path));
  free(paths);
  if (has_failed(env)) return false;
  jobject local = new_object(env, "java/net/URLClassLoader", "([Ljava/net/URL;)V", urls);
  loader = local ? (*env)->NewGlobalRef(env, local) : NULL;
  return loader != NULL;
}

static jclass load(JNIEnv *env, const char *name) {
  jclass class = (*env)->FindClass(env, "java/lang/Class");
  if (has_failed(env)) return NULL;
  jmethodID for_name = (*env)->GetStaticMethodID(
      env, class, "forName", "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;");
  if (has_failed(env)) return NULL;
  char text[128];
  snprintf(text, sizeof text, "%s", name);
  for (char *c = text; *c; c++)
    if (*c == '/') *c = '.';
  jvalue arguments[] = {{.l = (*env)->NewStringUTF(env, text)}, {.j = 1}, {.l = loader}};
  return (*env)->CallStaticObjectMethodA(env, class, for_name, arguments);
}

static jclass find_class(JNIEnv *env, const char *name) {
  return loader ? load(env, name) : (*env)->FindClass(env, name);
}

static bool find_methods(JNIEnv *env) {
  if (is_of_program && !make_loader(env)) return false;
  for (int i = 0; i < ENTRIES; i++) {
    jclass local = find_class(env, names[i].class);
    if (has_failed(env)) return false;
    classes[i] = (*env)->NewGlobalRef(env, local);
    (*env)->DeleteLocalRef(env, local);
    methods[i] = (*env)->GetStaticMethodID(
        env, classes[i], names[i].method, "(JLjava/nio/ByteBuffer;)J");
    if (has_failed(env)) return false;
  }
  jclass back = find_class(env, CALLBACKS);
  if (has_failed(env)) return false;
  (*env)->RegisterNatives(env, back, callbacks, callbacks_count);
  return !has_failed(env);
}

static int64_t call_java(enum entry entry, int64_t handle) {
  JNIEnv *env = thread.env;
  const jvalue values[] = {{.j = handle}, {.l = thread.buffer}};
  thread.in_java++;
  int64_t result = (*env)->CallStaticLongMethodA(env, classes[entry], methods[entry], values);
  thread.in_java--;
  return has_failed(env) ? -EIO : result;
}

static bool give_buffer(JNIEnv *env) {
  jobject local = (*env)->NewDirectByteBuffer(env, thread.args, sizeof *thread.args);
  if (has_failed(env) || !local) return false;
  thread.buffer = (*env)->NewGlobalRef(env, local);
  (*env)->DeleteLocalRef(env, local);
  return true;
}

static struct args *allocate_args(void) {
  struct args *fresh = calloc(1, sizeof *fresh);
  return fresh ? fresh : &no_memory;
}

static void detach(void *unused) {
  (void)unused;
  bool attached = thread.env && state == RUNNING;
  thread.env = NULL; // From here on faults are those of the JVM: it runs Java code at the end.
  if (attached) {
    // A thread of a Java program has been detached by the JVM: its environment is gone.
    struct jvm_attach attach = {.version = JNI_VERSION, .name = "queuepair"};
    JNIEnv *env = NULL;
    if ((*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&env, &attach) == JNI_OK) {
      (*env)->DeleteGlobalRef(env, thread.buffer);
      (*vm)->DetachCurrentThread(vm);
    }
  }
  if (thread.args != &no_memory) free(thread.args);
  thread.args = NULL;
}

// The thread that creates the JVM: of ours, as that of the program may have a small stack.
static void *run_start(void *unused) {
  (void)unused;
  JNIEnv *env = find_present();
  if (!env) env = create();
  if (!env) return NULL;
  thread.env = env;
  thread.args = allocate_args();
  if (find_methods(env) && give_buffer(env) && call_java(START, 0) >= 0) state = RUNNING;
  (*env)->DeleteGlobalRef(env, thread.buffer);
  thread.env = NULL;
  free(thread.args);
  (*vm)->DetachCurrentThread(vm);
  return NULL;
}

static void in_child(void) {
  if (state == RUNNING) state = FORKED;
  forked_in_child();
}

static bool attach(void);

static void *run_stop(void *unused) {
  if (attach()) call_java(STOP, 0);
  return unused;
}

static pthread_attr_t *stack_for_jvm(pthread_attr_t *attributes) {
  pthread_attr_init(attributes);
  pthread_attr_setstacksize(attributes, JVM_STACK_BYTES);
  return attributes;
}

static volatile bool has_peers;

void jvm_stop_at_exit(void) { has_peers = true; }

// As the kernel does for a process that ends: packets on their way leave, and peers are disconnected.
// In a thread of its own, and not for ever: a signal handler may call exit() in the midst of a verb.
static void stop(void) {
  if (state != RUNNING || !(has_peers || getenv("QUEUEPAIR_STOP_AT_EXIT"))) return;
  sigset_t before;
  signals_block(&before);
  pthread_attr_t attributes;
  pthread_t stopper;
  if (pthread_create(&stopper, stack_for_jvm(&attributes), run_stop, NULL) == 0) {
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += STOP_SECONDS;
    pthread_timedjoin_np(stopper, NULL, &deadline);
  }
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void start(void) {
  state = FAILED;
  pthread_key_create(&at_exit, detach);
  pthread_atfork(forked_prepare, forked_in_parent, in_child);
  sigset_t before;
  signals_block(&before); // Those of the JVM take no signal of the program.
  pthread_attr_t attributes;
  pthread_t starter;
  if (pthread_create(&starter, stack_for_jvm(&attributes), run_start, NULL) == 0)
    pthread_join(starter, NULL);
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (!is_of_program) atexit(stop); // A Java program has shutdown hooks for that.
}

// A thread of ours that calls Java in place of one of the program with a small stack.
struct proxy {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  pthread_t thread;
  struct args *args;
  enum entry entry;
  int64_t handle, result;
  enum { IDLE, WANTED, DONE, ENDED } stage;
};

static void *run_proxy(void *argument) {
  struct proxy *proxy = argument;
  thread.args = proxy->args;
  bool attached = attach();
  pthread_mutex_lock(&proxy->lock);
  while (proxy->stage != ENDED) {
    if (proxy->stage == WANTED) {
      proxy->result = attached ? call_java(proxy->entry, proxy->handle) : -ENODEV;
      proxy->stage = DONE;
      pthread_cond_broadcast(&proxy->changed);
    } else {
      pthread_cond_wait(&proxy->changed, &proxy->lock);
    }
  }
  pthread_mutex_unlock(&proxy->lock);
  return NULL;
}

static int64_t call_by(struct proxy *proxy, enum entry entry, int64_t handle) {
  pthread_mutex_lock(&proxy->lock);
  proxy->entry = entry;
  proxy->handle = handle;
  proxy->stage = WANTED;
  pthread_cond_broadcast(&proxy->changed);
  while (proxy->stage != DONE) pthread_cond_wait(&proxy->changed, &proxy->lock);
  proxy->stage = IDLE;
  pthread_mutex_unlock(&proxy->lock);
  return proxy->result;
}

static pthread_key_t proxy_at_exit;
static pthread_once_t proxy_once = PTHREAD_ONCE_INIT;

static void end_proxy(void *argument) {
  struct proxy *proxy = argument;
  if (state == RUNNING) {
    pthread_mutex_lock(&proxy->lock);
    proxy->stage = ENDED;
    pthread_cond_broadcast(&proxy->changed);
    pthread_mutex_unlock(&proxy->lock);
    pthread_join(proxy->thread, NULL); // It frees the arguments, which are shared.
  }
  free(proxy);
  thread.proxy = NULL;
  thread.args = NULL;
}

static void make_proxy_key(void) { pthread_key_create(&proxy_at_exit, end_proxy); }

static bool has_small_stack(void) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes)) return false;
  void *bottom;
  size_t bytes = MIN_STACK_BYTES;
  pthread_attr_getstack(&attributes, &bottom, &bytes);
  pthread_attr_destroy(&attributes);
  return bytes < MIN_STACK_BYTES;
}

static bool start_proxy(void) {
  pthread_once(&proxy_once, make_proxy_key);
  struct proxy *proxy = calloc(1, sizeof *proxy);
  if (!proxy) return false;
  pthread_mutex_init(&proxy->lock, NULL);
  pthread_cond_init(&proxy->changed, NULL);
  proxy->args = jvm_args();
  sigset_t before;
  signals_block(&before);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 1 << 20);
  bool started = pthread_create(&proxy->thread, &attributes, run_proxy, proxy) == 0;
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (!started) {
    free(proxy);
    return false;
  }
  thread.proxy = proxy;
  pthread_setspecific(proxy_at_exit, proxy);
  return true;
}

static bool attach(void) {
  struct jvm_attach attach = {.version = JNI_VERSION, .name = "program"};
  JNIEnv *env;
  if ((*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&env, &attach) != JNI_OK) return false;
  jvm_args();
  if (!give_buffer(env)) return false;
  thread.env = env;
  pthread_setspecific(at_exit, &thread);
  return true;
}

// Whether the calling thread can call Java, by itself or by its proxy.
static bool is_ready(void) {
  if (__builtin_expect(state == RUNNING && (thread.env || thread.proxy), 1)) return true;
  pthread_once(&once, start);
  if (state != RUNNING) return false;
  return has_small_stack() ? start_proxy() : attach();
}

struct args *jvm_args(void) {
  if (!thread.args) thread.args = allocate_args();
  return thread.args;
}

// Restores errno, which Java and the JVM change: a verb that succeeds leaves it to the program.
int64_t jvm_call_fast(enum entry entry, int64_t handle) {
  int before = errno;
  int64_t result = -ENODEV;
  if (is_ready())
    result = thread.env ? call_java(entry, handle) : call_by(thread.proxy, entry, handle);
  else if (state == FORKED)
    result = forked_call(entry, handle);
  errno = before;
  return result;
}

int64_t jvm_call(enum entry entry, int64_t handle) {
  sigset_t before;
  signals_block(&before);
  int64_t result = jvm_call_fast(entry, handle);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return result;
}
