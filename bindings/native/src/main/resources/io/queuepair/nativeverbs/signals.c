// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "signals.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "export.h"
#include "jvm.h"
#include "program_memory.h"
#include "symbols.h"

// The JVM finds null pointers and stops its threads by faults, so that it needs these signals.
static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
enum { FAULTS = sizeof faults / sizeof *faults };

static struct sigaction of_jvm[NSIG], of_program[NSIG];
static volatile bool has_taken_over;

static bool is_fault(int number) {
  for (int i = 0; i < FAULTS; i++)
    if (faults[i] == number) return true;
  return false;
}

static int set(int number, const struct sigaction *action, struct sigaction *before) {
  static __typeof__(&sigaction) next;
  if (!next) *(void **)&next = next_symbol("sigaction");
  return next(number, action, before);
}

void signals_block(sigset_t *before) {
  sigset_t asynchronous;
  sigfillset(&asynchronous);
  for (int i = 0; i < FAULTS; i++) sigdelset(&asynchronous, faults[i]);
  sigdelset(&asynchronous, SIGTRAP);
  sigdelset(&asynchronous, SIGABRT);
  pthread_sigmask(SIG_BLOCK, &asynchronous, before);
}

void signals_save(struct sigaction *before) {
  for (int number = 1; number < NSIG; number++) set(number, NULL, &before[number]);
}

static void die_by(int number, const siginfo_t *info) {
  struct sigaction standard = {.sa_handler = SIG_DFL};
  set(number, &standard, NULL);
  if (info->si_code <= 0) raise(number); // Sent: the instruction does not fault again.
}

static void call_program(int number, siginfo_t *info, void *context) {
  struct sigaction action = of_program[number];
  if (!(action.sa_flags & SA_SIGINFO)) {
    if (action.sa_handler == SIG_IGN && info->si_code <= 0) return;
    if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) {
      die_by(number, info);
      return;
    }
  }
  if (action.sa_flags & SA_RESETHAND)
    of_program[number] = (struct sigaction){.sa_handler = SIG_DFL};
  sigset_t before, own;
  sigemptyset(&own);
  sigaddset(&own, number);
  pthread_sigmask(SIG_BLOCK, &action.sa_mask, &before);
  if (action.sa_flags & SA_NODEFER) pthread_sigmask(SIG_UNBLOCK, &own, NULL);
  if (action.sa_flags & SA_SIGINFO)
    action.sa_sigaction(number, info, context);
  else
    action.sa_handler(number);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void on_fault(int number, siginfo_t *info, void *context) {
  bool is_of_memory = info->si_code > 0 && (number == SIGSEGV || number == SIGBUS);
  if (is_of_memory && program_memory_fault(context)) return;
  int before = errno;
  if (jvm_owns_thread())
    of_jvm[number].sa_sigaction(number, info, context);
  else
    call_program(number, info, context);
  errno = before;
}

void signals_take_over(const struct sigaction *before) {
  for (int number = 1; number < NSIG; number++) {
    if (!is_fault(number)) {
      set(number, &before[number], NULL);
      continue;
    }
    of_program[number] = before[number];
    set(number, NULL, &of_jvm[number]);
    if (!(of_jvm[number].sa_flags & SA_SIGINFO)) continue; // Without a JVM nothing has changed.
    struct sigaction ours = {.sa_sigaction = on_fault};
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigfillset(&ours.sa_mask);
    for (int i = 0; i < FAULTS; i++) sigdelset(&ours.sa_mask, faults[i]);
    set(number, &ours, NULL);
  }
  has_taken_over = true;
}

EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *before) {
  if (!has_taken_over || !is_fault(number)) return set(number, action, before);
  struct sigaction present = of_program[number];
  if (action) of_program[number] = *action;
  if (before) *before = present;
  return 0;
}

EXPORT sighandler_t signal(int number, sighandler_t handler) {
  static __typeof__(&signal) next;
  if (!next) *(void **)&next = next_symbol("signal");
  if (!has_taken_over || !is_fault(number)) return next(number, handler);
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, before;
  sigaction(number, &action, &before);
  return before.sa_handler;
}
