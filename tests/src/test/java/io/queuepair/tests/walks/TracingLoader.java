// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.walks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Loads the classes of the project again, and lets each method that calls another class of the
 * emulator call {@link EnteredClasses#enter} first. Methods that call none, such as accessors, are
 * read where they are called: they lead nowhere.
 */
final class TracingLoader extends ClassLoader {
  private static final String RECORDER = EnteredClasses.class.getName();
  private static final String EMULATOR = "io/queuepair/emulator/";

  TracingLoader() {
    super(TracingLoader.class.getClassLoader());
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith("io.queuepair.") || name.equals(RECORDER)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream bytes = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (bytes == null) {
        throw new ClassNotFoundException(name);
      }
      ClassReader reader = new ClassReader(bytes);
      CallingMethods calling = new CallingMethods(outermost(name.replace('.', '/')));
      reader.accept(calling, 0);
      ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
      reader.accept(new Tracing(writer, calling.found), 0);
      byte[] traced = writer.toByteArray();
      return defineClass(name, traced, 0, traced.length);
    } catch (IOException e) {
      throw new UncheckedIOException(name, e);
    }
  }

  private static String outermost(String internalName) {
    int nested = internalName.indexOf('$');
    return nested < 0 ? internalName : internalName.substring(0, nested);
  }

  /** Finds the methods of a class that call other classes of the emulator. */
  private static final class CallingMethods extends ClassVisitor {
    private final String own;
    private final Set<String> found = new HashSet<>();

    CallingMethods(String own) {
      super(Opcodes.ASM9);
      this.own = own;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      return new MethodVisitor(Opcodes.ASM9) {
        @Override
        public void visitMethodInsn(
            int opcode, String owner, String called, String type, boolean isInterface) {
          if (owner.startsWith(EMULATOR) && !outermost(owner).equals(own)) {
            found.add(name + descriptor);
          }
        }
      };
    }
  }

  /** Copies a class, with a call of {@link EnteredClasses#enter} in the given methods. */
  private static final class Tracing extends ClassVisitor {
    private final Set<String> methods;

    Tracing(ClassVisitor copy, Set<String> methods) {
      super(Opcodes.ASM9, copy);
      this.methods = methods;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor copy = super.visitMethod(access, name, descriptor, signature, exceptions);
      if (name.startsWith("<") || !methods.contains(name + descriptor)) {
        return copy;
      }
      return new MethodVisitor(Opcodes.ASM9, copy) {
        @Override
        public void visitCode() {
          super.visitCode();
          visitMethodInsn(Opcodes.INVOKESTATIC, RECORDER.replace('.', '/'), "enter", "()V", false);
        }
      };
    }
  }
}
