// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "program_memory.h"

#include <errno.h>
#include <stdint.h>
#include <ucontext.h>

#include "message.h"

// Copies, and returns how many bytes are left: none, but after a fault. It is in assembler so that a
// fault of its own is known by the instruction it happens at, and nothing must be noted before a
// copy: handlers of the program may interrupt one, copy themselves, and leave by siglongjmp.
size_t program_copy(void *into, const void *from, size_t bytes);
extern const char program_copy_begin[], program_copy_end[];

#ifdef __x86_64__
__asm__(".pushsection .text\n"
        ".hidden program_copy, program_copy_begin, program_copy_end\n"
        ".globl program_copy, program_copy_begin, program_copy_end\n"
        ".type program_copy, @function\n"
        "program_copy:\n"
        "  .cfi_startproc\n"
        "  mov %rdx, %rcx\n"
        "program_copy_begin:\n"
        "  rep movsb\n"
        "program_copy_end:\n"
        "  mov %rcx, %rax\n"
        "  ret\n"
        "  .cfi_endproc\n"
        ".size program_copy, . - program_copy\n"
        ".popsection\n");
#define PROGRAM_COUNTER(context) ((context)->uc_mcontext.gregs[REG_RIP])
#elif defined __aarch64__
__asm__(".pushsection .text\n"
        ".hidden program_copy, program_copy_begin, program_copy_end\n"
        ".globl program_copy, program_copy_begin, program_copy_end\n"
        ".type program_copy, %function\n"
        "program_copy:\n"
        "  .cfi_startproc\n"
        "  cbz x2, program_copy_end\n"
        "program_copy_begin:\n"
        "  ldrb w3, [x1], #1\n"
        "  strb w3, [x0], #1\n"
        "  subs x2, x2, #1\n"
        "  b.ne program_copy_begin\n"
        "program_copy_end:\n"
        "  mov x0, x2\n"
        "  ret\n"
        "  .cfi_endproc\n"
        ".size program_copy, . - program_copy\n"
        ".popsection\n");
#define PROGRAM_COUNTER(context) ((context)->uc_mcontext.pc)
#else
#error "The library is for x86-64 and aarch64."
#endif

bool program_memory_fault(void *interrupted) {
  ucontext_t *context = interrupted;
  uintptr_t at = (uintptr_t)PROGRAM_COUNTER(context);
  if (at < (uintptr_t)program_copy_begin || at >= (uintptr_t)program_copy_end) return false;
  PROGRAM_COUNTER(context) = (__typeof__(PROGRAM_COUNTER(context)))(uintptr_t)program_copy_end;
  return true;
}

static bool refuse(const void *memory, size_t bytes, const char *right) {
  explain("EFAULT: the program cannot %s the %zu bytes at %p", right, bytes, memory);
  errno = EFAULT;
  return false;
}

bool read_program(void *into, const void *from, size_t bytes) {
  return program_copy(into, from, bytes) == 0 || refuse(from, bytes, "read");
}

bool write_program(void *into, const void *from, size_t bytes) {
  return program_copy(into, from, bytes) == 0 || refuse(into, bytes, "write");
}
