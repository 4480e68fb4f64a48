/** What the sanitizer finds, and what it leaves alone. */
package io.queuepair.tests.sanitizer;
