/** The programs shown in documents, compiled and run. */
package io.queuepair.tests.readme;
