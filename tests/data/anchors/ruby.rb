# Saves notes.
module Acme
  class Store < Base
    LIMIT = 8
    # Writes one.
    def save(note)
      local = 1
    end

    def self.open(path)
      new(path)
    end

    def ==(other) = true
    def path=(path); end
    def ok?; true; end

    class << self
      def build; end
    end

    class Inner; end
  end
end

class Acme::Deep::Thing
  def go; end
end

def top; end
