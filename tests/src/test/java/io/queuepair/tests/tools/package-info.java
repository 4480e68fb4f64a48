/** What the commands do with the documentation and with recordings of other devices. */
package io.queuepair.tests.tools;
